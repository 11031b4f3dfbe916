-- KEYS  1 lock  2 queue  3 fence
-- ARGV  1 token  2 how long the lock stays taken in ms, 0 to remove it  3 channel of this process
--       4 '1' if the number of receivers of a message can be trusted
--       5 how long a new fence is kept in ms, once the clock has reached it; empty if the release must not grant the
--       lock to the next waiter
-- Returns 1 if the token owned the lock, else 0. A token that waits in the queue is removed from it.
-- A retained lock has a different owner, so that no late command of its holder extends it. A repeated or late release
-- only shortens the remaining time. The owner of a revoked lease may still release it.
-- The first waiter is granted the lock in the same step, if it has said lately that it expects that. The key of the
-- queue, followed by ':' and the token of the waiter, then has the number of fencing tokens to reserve, the ttl in ms
-- until the waiter renews the lease, and the number of the waiter's question, separated by spaces. The message is the
-- token, that number and the first fencing token. Any other waiter is only notified: the message is its token.
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
elseif ours then
  -- written even if it changes nothing, see renew.lua
  local left = call('PTTL', KEYS[1])
  call('PEXPIRE', KEYS[1], left >= 0 and left < tonumber(ARGV[2]) and left or ARGV[2])
end

-- Waiters that no longer receive notifications are skipped.
local head = next_may_come and call('ZRANGE', KEYS[2], 0, 0)[1]
while head do
  local time = call('TIME')
  local now = time[1] * 1000000 + time[2]
  local bar = string.find(head, '|', 1, true)
  local channel, token = string.sub(head, 1, bar - 1), string.sub(head, bar + 1)
  local expects = KEYS[2] .. ':' .. token
  local fences, ttl, question, last
  if ARGV[5] and ARGV[5] ~= '' then
    -- a key with a wrong type, or one that this user may not read, leaves the plain way
    local expected, kept = redis.pcall('GET', expects), redis.pcall('GET', KEYS[3])
    fences, ttl, question = string.match(type(expected) == 'string' and expected or '', '^(%d+) (%d+) (%d+)$')
    last = not kept and 0 or type(kept) == 'string' and tonumber(kept)
  end
  if question and last then
    local first = math.max(last + 1, now)
    -- An empty message first: a subscriber on a replica gets messages but is not counted, and must not get a grant.
    if call('PUBLISH', channel, '') > 0 then
      call('PUBLISH', channel, string.format('%s %s %.0f', token, question, first))
      local reserved = first + fences - 1
      local fence_kept_for = ARGV[5] + math.max(0, math.ceil((reserved - now) / 1000))
      call('SET', KEYS[1], token, 'PX', ttl)
      call('SET', KEYS[3], string.format('%.0f', reserved), 'PX', string.format('%.0f', fence_kept_for))
      call('ZREM', KEYS[2], head)
      call('DEL', expects)
      break
    end
  else
    call('ZADD', KEYS[2], 'XX', -now, head)
    if call('PUBLISH', channel, token) > 0 or ARGV[4] ~= '1' then
      break
    end
  end
  call('ZREM', KEYS[2], head)
  head = call('ZRANGE', KEYS[2], 0, 0)[1]
end
return ours and 1 or 0
