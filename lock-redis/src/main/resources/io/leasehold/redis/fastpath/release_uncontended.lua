-- KEYS  1 lock  2 queue
-- ARGV  1 token
-- Returns 1 if the token owned the lock and no caller waits for it. Otherwise returns 0 without any effect, and the
-- caller falls back to release.lua.
local call = redis.call
if call('GET', KEYS[1]) == ARGV[1] and call('ZCARD', KEYS[2]) == 0 then
  return call('DEL', KEYS[1])
end
return 0
