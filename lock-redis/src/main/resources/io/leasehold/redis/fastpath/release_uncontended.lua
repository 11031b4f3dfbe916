-- KEYS  1 lock  2 queue
-- ARGV  1 token
-- Answers 1 if the lock was ours and nobody waits for it; else 0, and nothing was done: release.lua knows what to do.
local call = redis.call
if call('GET', KEYS[1]) == ARGV[1] and call('ZCARD', KEYS[2]) == 0 then
  return call('DEL', KEYS[1])
end
return 0
