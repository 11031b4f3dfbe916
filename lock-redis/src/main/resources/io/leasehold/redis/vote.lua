-- KEYS  1 lock  2 fence
-- ARGV  1 token  2 ttl in ms  3 number of fencing tokens  4 how long the fence is kept in ms, once
--       the clock has reached it
--       5 the minimum first fencing token of a new lease
-- Returns the answer as in acquire.lua, then the time in us, the run id and the uptime in s of this server, and '1' if
-- the lease existed.
local ttl, fences = tonumber(ARGV[2]), tonumber(ARGV[3])
local owner = redis.call('GET', KEYS[1])
local kept = redis.call('GET', KEYS[2])
local last = tonumber(kept or '0')
if not last then
  return redis.error_reply('WRONGTYPE the fencing counter is not a number: ' .. KEYS[2])
end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local info = redis.call('INFO', 'server')

local answer
local was_there = 0
if owner and owner ~= ARGV[1] then
  answer = -1 - redis.call('PTTL', KEYS[1])
elseif owner and kept then
  if redis.call('PTTL', KEYS[1]) < ttl then
    redis.call('PEXPIRE', KEYS[1], ttl)
  end
  answer = last - fences + 1
  was_there = 1
else
  answer = math.max(last + 1, now, tonumber(ARGV[5]))
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ttl)
  local reserved = answer + fences - 1
  local kept_for = ARGV[4] + math.max(0, math.ceil((reserved - now) / 1000))
  redis.call('SET', KEYS[2], string.format('%.0f', reserved), 'PX', string.format('%.0f', kept_for))
end
return string.format('%.0f %.0f %s %s %d', answer, now,
  string.match(info, 'run_id:(%w+)'), string.match(info, 'uptime_in_seconds:(%-?%d+)'), was_there)
