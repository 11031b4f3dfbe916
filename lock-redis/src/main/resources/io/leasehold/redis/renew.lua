-- KEYS  the locks
-- ARGV  1 the tokens of all locks, 44 characters each  2 how long fences are kept in ms
--       3 the new ttl of all locks in ms, or of the first, and so on
-- Returns a string with '1' for each renewed lock, '2' for each lease of the token that was revoked, and '0' for each
-- lock that the token does not own.
-- Uses as few calls per lock as the server allows: one call reads all owners, and Redis 7 compares expiry times.
-- A fence names the lease and tells when it was granted, so it outlives the lease, by half of its retention at least. It
-- is read each time and written seldom, and a fence that does not exist is not created.
-- The first command changes nothing. A replica, which may be a former master, refuses it, as a write, and does not answer.
local call, sub, tokens = redis.call, string.sub, ARGV[1]
local refused = redis.pcall('ZREM', '{' .. KEYS[1] .. '}:queue', '')
if type(refused) == 'table' and string.find(refused.err, 'READONLY', 1, true) then
  return refused
end
local compares = redis.REDIS_VERSION_NUM
local owners = call('MGET', unpack(KEYS))
local answers = {}
for i, lock in ipairs(KEYS) do
  if owners[i] == sub(tokens, 44 * i - 43, 44 * i) then
    local ttl = ARGV[i + 2] or ARGV[3]
    local prolonged = compares and call('PEXPIRE', lock, ttl, 'GT') == 1
    if not prolonged then
      -- written even if it changes nothing: replicas confirm only a connection's last write, which may be an older one
      local left = call('PTTL', lock)
      call('PEXPIRE', lock, left < tonumber(ttl) and ttl or left)
    end
    local fence = '{' .. lock .. '}:fence'
    -- not call(): while the slot of a cluster moves, the fence may be on the other node already
    local kept_for = redis.pcall('PTTL', fence)
    if type(kept_for) == 'number' and kept_for >= 0 and kept_for < ttl + ARGV[2] / 2 then
      call('PEXPIRE', fence, string.format('%.0f', ttl + ARGV[2]))
    end
    answers[i] = '1'
  else
    answers[i] = owners[i] == sub(tokens, 44 * i - 43, 44 * i) .. '|revoked' and '2' or '0'
  end
end
return table.concat(answers)
