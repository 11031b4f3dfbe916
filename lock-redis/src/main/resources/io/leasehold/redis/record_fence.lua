-- KEYS  1 lock  2 fence
-- ARGV  1 token  2 the last fencing token of its lease  3 how long the fence is kept in ms, once
--       the clock has reached it
-- Returns 1 if the token owns the lock, else 0.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
local time = redis.call('TIME')
local ahead = ARGV[2] - (time[1] * 1000000 + time[2])
local kept_for = ARGV[3] + math.max(0, math.ceil(ahead / 1000))
redis.call('SET', KEYS[2], ARGV[2], 'PX', string.format('%.0f', kept_for))
return 1
