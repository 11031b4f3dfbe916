-- ARGV  1 cursor  2 pattern of keys, which ends with '*'  3 how many keys of the database to visit
-- Returns the next cursor and the time in us on one line. Then follow, for each key that matches, a line with the length
-- of the key, the length of the owner, the remaining time in ms as PTTL does, the fencing counter and the number of
-- waiters, and after it the key and the owner. The owner of a key of another type is empty. Changes nothing.
-- A replica, which may be a former master, refuses the first command, as a write, and does not answer.
local try = redis.pcall
local refused = try('ZREM', '{' .. string.sub(ARGV[2], 1, -2) .. '}:queue', '')
if type(refused) == 'table' and string.find(refused.err, 'READONLY', 1, true) then
  return refused
end
local page = redis.call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', ARGV[3])
local time = redis.call('TIME')
local answer = {string.format('%s %.0f\n', page[1], time[1] * 1000000 + time[2])}
for _, key in ipairs(page[2]) do
  local owner = try('GET', key)
  if owner then
    owner = type(owner) == 'string' and string.sub(owner, 1, 64) or ''
    local fence = try('GET', '{' .. key .. '}:fence')
    local queued = try('ZCARD', '{' .. key .. '}:queue')
    local left = try('PTTL', key)
    answer[#answer + 1] = string.format('%d %d %.0f %.0f %.0f\n', #key, #owner, type(left) == 'number' and left or -2,
      type(fence) == 'string' and tonumber(fence) or 0, type(queued) == 'number' and queued or 0)
    answer[#answer + 1] = key
    answer[#answer + 1] = owner
  end
end
return table.concat(answer)
