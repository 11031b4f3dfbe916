-- KEYS  1 lock  2 fence  3 queue
-- ARGV  1 token  2 ttl in ms  3 number of fencing tokens  4 how long the fence is kept in ms
--       5 channel of a caller who waits, or empty  6 how long a woken waiter is preferred in us
--       7 '1' if the number of receivers of a message can be trusted
-- Answers the first fencing token if granted; otherwise -1 - remaining ms, 0 if the holder's key never expires.
local token, ttl, fences, channel = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[5]
local owner = redis.call('GET', KEYS[1])

if owner == token then
  if redis.call('PTTL', KEYS[1]) < ttl then
    redis.call('PEXPIRE', KEYS[1], ttl)
  end
  local kept = redis.call('GET', KEYS[2])
  if kept then
    return tonumber(kept) - fences + 1
  end
end

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local me = channel .. '|' .. token

local function stand_in_line()
  if channel ~= '' then
    redis.call('ZADD', KEYS[3], 'NX', now, me)
    redis.call('PEXPIRE', KEYS[3], 60000)
  end
end

if owner and owner ~= token then
  stand_in_line()
  return -1 - redis.call('PTTL', KEYS[1])
end

local head = redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')
local passed_over = false
while head[1] and head[1] ~= me do
  local woken = -tonumber(head[2])
  if woken <= 0 and not passed_over then
    break
  end
  if woken <= 0 then
    redis.call('ZADD', KEYS[3], 'XX', -now, head[1])
    local bar = string.find(head[1], '|', 1, true)
    local heard = redis.call('PUBLISH', string.sub(head[1], 1, bar - 1), string.sub(head[1], bar + 1))
    if heard > 0 or ARGV[7] ~= '1' then
      stand_in_line()
      return -1 - math.ceil(tonumber(ARGV[6]) / 1000)
    end
  elseif now - woken < tonumber(ARGV[6]) then
    stand_in_line()
    return -1 - math.ceil((tonumber(ARGV[6]) - (now - woken)) / 1000)
  end
  redis.call('ZREM', KEYS[3], head[1])
  passed_over = true
  head = redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')
end
if head[1] then
  redis.call('ZREM', KEYS[3], me)
end

local first = math.max(tonumber(redis.call('GET', KEYS[2]) or '0') + 1, now)
redis.call('SET', KEYS[1], token, 'PX', ttl)
redis.call('SET', KEYS[2], string.format('%.0f', first + fences - 1), 'PX', ARGV[4])
return first
