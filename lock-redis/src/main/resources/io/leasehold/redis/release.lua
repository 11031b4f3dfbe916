-- KEYS  1 lock  2 queue
-- ARGV  1 token  2 how long the lock stays taken in ms, 0 to remove it  3 channel of this process
--       4 '1' if the number of receivers of a message can be trusted
-- Returns 1 if the token owned the lock, else 0. A token that waits in the queue is removed from it.
-- A retained lock has a different owner, so that no late command of its holder extends it. A repeated or late release
-- only shortens the remaining time. The owner of a revoked lease may still release it.
local call = redis.call
local owner = call('GET', KEYS[1])
local kept_for = ARGV[1] .. '|released'
local revoked = owner == ARGV[1] .. '|revoked'
local ours = owner == ARGV[1] or owner == kept_for or revoked
local me = ARGV[3] .. '|' .. ARGV[1]
local place = call('ZSCORE', KEYS[2], me)
local next_may_come = false

-- Sent in any case: a replica, which may be a former master, refuses it, as a write, and does not answer.
call('ZREM', KEYS[2], me)
if place then
  next_may_come = tonumber(place) < 0 and not owner
end
if ours and ARGV[2] == '0' then
  call('DEL', KEYS[1])
  next_may_come = true
elseif owner == ARGV[1] or revoked then
  call('SET', KEYS[1], kept_for, 'PX', ARGV[2])
elseif ours and call('PTTL', KEYS[1]) > tonumber(ARGV[2]) then
  call('PEXPIRE', KEYS[1], ARGV[2])
end

-- Waiters that no longer receive notifications are skipped.
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
