-- KEYS  for each acquisition: lock, fence, queue; for each release: lock, queue
-- ARGV  1 how long fences are kept in ms, once the clock has reached them
--       for each acquisition: token, ttl in ms, number of fencing tokens; for each release: token, '0'
-- Returns for each acquisition its first fencing token, and for each release 1. Returns 0 for a special case: another
-- token owns the lock, a caller waits for it, or a key has a wrong type. The script then has no effect on that lock and
-- does not fail; the caller falls back to acquire.lua or release.lua.
local call, try = redis.call, redis.pcall
local answers, key, arg, now = {}, 1, 2, nil

local function last_fence(fence)
  local kept = try('GET', fence)
  if not kept then
    return 0
  end
  return type(kept) == 'string' and tonumber(kept)
end

while KEYS[key] do
  local lock, token, ttl = KEYS[key], ARGV[arg], ARGV[arg + 1]
  local answer = 0
  if ttl == '0' then
    if try('GET', lock) == token and try('ZCARD', KEYS[key + 1]) == 0 then
      answer = call('DEL', lock)
    end
    key, arg = key + 2, arg + 2
  else
    local last = last_fence(KEYS[key + 1])
    -- refused if Redis is out of memory, which must not keep the releases of the script from being executed
    local set = last and try('ZCARD', KEYS[key + 2]) == 0 and try('SET', lock, token, 'NX', 'PX', ttl)
    if set and not set.err then
      if not now then
        local time = call('TIME')
        now = time[1] * 1000000 + time[2]
      end
      answer = math.max(last + 1, now)
      local reserved = answer + ARGV[arg + 2] - 1
      local kept_for = ARGV[1] + math.max(0, math.ceil((reserved - now) / 1000))
      call('SET', KEYS[key + 1], string.format('%.0f', reserved), 'PX', string.format('%.0f', kept_for))
    end
    key, arg = key + 3, arg + 3
  end
  answers[#answers + 1] = answer
end
return answers
