-- KEYS  1 lock  2 fence  3 queue
-- Returns the remaining time in ms as PTTL does, the fencing counter, the number of waiters, the time in us and the
-- owner, separated by spaces. An owner that another client wrote is cut, and that of a key of another type is empty.
-- Returns '-2' if the lock is free. Changes nothing. A replica, which may be a former master, refuses the first command,
-- as a write, and does not answer.
local try = redis.pcall
local refused = try('ZREM', KEYS[3], '')
if type(refused) == 'table' and string.find(refused.err, 'READONLY', 1, true) then
  return refused
end
local owner = try('GET', KEYS[1])
if not owner then
  return '-2'
end
if type(owner) == 'table' then
  if not string.find(owner.err, 'WRONGTYPE', 1, true) then
    return owner
  end
  owner = ''
end
local fence = try('GET', KEYS[2])
local queued = try('ZCARD', KEYS[3])
local time = redis.call('TIME')
return string.format('%.0f %.0f %.0f %.0f ', redis.call('PTTL', KEYS[1]),
  type(fence) == 'string' and tonumber(fence) or 0, type(queued) == 'number' and queued or 0,
  time[1] * 1000000 + time[2]) .. string.sub(owner, 1, 64)
