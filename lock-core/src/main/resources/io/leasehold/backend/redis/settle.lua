-- KEYS  1 lock  2 fence
-- ARGV  1 token  2 the last fencing token of its lease  3 how long the fence is kept in ms
-- Answers 1 if the lock was ours, else 0.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
return 1
