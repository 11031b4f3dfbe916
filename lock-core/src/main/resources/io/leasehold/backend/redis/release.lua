-- KEYS  1 lock  2 queue
-- ARGV  1 token  2 how long the lock stays taken in ms, 0 to remove it  3 channel of this process
--       4 '1' if the number of receivers of a message can be trusted
-- Answers 1 if the lock was ours, else 0. A token that waits in line leaves it.
local function wake_next()
  local head = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
  while head do
    local time = redis.call('TIME')
    redis.call('ZADD', KEYS[2], 'XX', -(time[1] * 1000000 + time[2]), head)
    local bar = string.find(head, '|', 1, true)
    local heard = redis.call('PUBLISH', string.sub(head, 1, bar - 1), string.sub(head, bar + 1))
    if heard > 0 or ARGV[4] ~= '1' then
      return
    end
    redis.call('ZREM', KEYS[2], head)
    head = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
  end
end

local owner = redis.call('GET', KEYS[1])
if owner == ARGV[1] then
  if tonumber(ARGV[2]) > 0 then
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
  else
    redis.call('DEL', KEYS[1])
    wake_next()
  end
  return 1
end

local me = ARGV[3] .. '|' .. ARGV[1]
local place = redis.call('ZSCORE', KEYS[2], me)
if place then
  redis.call('ZREM', KEYS[2], me)
  if tonumber(place) < 0 and not owner then
    wake_next()
  end
end
return 0
