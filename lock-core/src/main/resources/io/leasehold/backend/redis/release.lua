-- KEYS  1 lock  2 queue
-- ARGV  1 token  2 how long the lock stays taken in ms, 0 to remove it  3 channel of this process
--       4 '1' if the number of receivers of a message can be trusted
-- Answers 1 if the lock was ours, else 0. A token that waits in line leaves it.
local call = redis.call
local owner = call('GET', KEYS[1])
local ours = owner == ARGV[1]
local next_may_come

if not ours then
  local me = ARGV[3] .. '|' .. ARGV[1]
  local place = call('ZSCORE', KEYS[2], me)
  if place then
    call('ZREM', KEYS[2], me)
    next_may_come = tonumber(place) < 0 and not owner
  end
elseif ARGV[2] ~= '0' then
  call('PEXPIRE', KEYS[1], ARGV[2])
else
  call('DEL', KEYS[1])
  next_may_come = true
end

-- Those who do not hear of their turn are passed over.
local head = next_may_come and call('ZRANGE', KEYS[2], 0, 0)[1]
while head do
  local time = call('TIME')
  call('ZADD', KEYS[2], 'XX', -(time[1] * 1000000 + time[2]), head)
  local bar = string.find(head, '|', 1, true)
  local heard = call('PUBLISH', string.sub(head, 1, bar - 1), string.sub(head, bar + 1))
  if heard > 0 or ARGV[4] ~= '1' then
    break
  end
  call('ZREM', KEYS[2], head)
  head = call('ZRANGE', KEYS[2], 0, 0)[1]
end
return ours and 1 or 0
