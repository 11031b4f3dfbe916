-- KEYS  the locks
-- ARGV  for each lock its token and its new ttl in ms
-- Answers a string with '1' for each lock that was renewed and '0' for each that is not ours.
local answers = {}
for i, lock in ipairs(KEYS) do
  local ttl = tonumber(ARGV[2 * i])
  if redis.call('GET', lock) == ARGV[2 * i - 1] then
    if redis.call('PTTL', lock) < ttl then
      redis.call('PEXPIRE', lock, ttl)
    end
    answers[i] = '1'
  else
    answers[i] = '0'
  end
end
return table.concat(answers)
