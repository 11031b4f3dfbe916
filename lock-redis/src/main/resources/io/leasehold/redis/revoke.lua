-- KEYS  1 lock  2 fence  3 queue
-- ARGV  1 the fencing counter that names the lease, 0 for a lease without one
--       2 the channel on which all processes with waiters listen
-- Exchanges the owner of the lease, and keeps its remaining time. A renewal then finds another owner.
-- Returns '1' if the lease was revoked, and otherwise 'free', 'foreign' or 'other'. Returns the token, followed by
-- '|released', of a lease that its owner has released, and changes nothing; the caller removes it with release.lua.
-- Replicas confirm a reply with a '1', which a token may have too.
-- A message hints to the holder that it should renew the lease now. It is the end of the token, which does not suffice
-- to release the lease. A user who may not publish revokes the lease without it.
-- The first command changes nothing. A former master that is now a replica refuses it, as a write, and does not answer.
redis.call('ZREM', KEYS[3], '')
local owner = redis.pcall('GET', KEYS[1])
if not owner then
  return 'free'
end
if type(owner) == 'table' then
  return string.find(owner.err, 'WRONGTYPE', 1, true) and 'foreign' or owner
end
local token, mark = string.match(owner, '^([%w_-]+)|?(%a*)$')
if not token or #token ~= 44 or not string.match(string.sub(token, 1, 32), '^%x+$')
    or (mark ~= '' and mark ~= 'released' and mark ~= 'revoked') then
  return 'foreign'
end
-- A fence may expire before a lease of a long ttl. Each grant writes one, so 0 names no newer lease.
local fence = redis.pcall('GET', KEYS[2]) or '0'
if type(fence) ~= 'string' or tonumber(fence) ~= tonumber(ARGV[1]) then
  return 'other'
end
if mark == 'released' then
  return owner
end
local remaining = redis.call('PTTL', KEYS[1])
-- a client has removed the expiry: the lock would not come free
if remaining < 0 then
  return 'foreign'
end
-- also of a revoked lease, see renew.lua
redis.call('SET', KEYS[1], token .. '|revoked', 'PX', math.max(1, remaining))
redis.pcall('PUBLISH', ARGV[2], string.sub(token, 17, 32))
return '1'
