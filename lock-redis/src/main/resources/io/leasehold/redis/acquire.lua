-- KEYS  1 lock  2 fence  3 queue  4 whether the token expects to be granted the lock by a release
--       5 the master and since when it has how many replicas, only with ARGV 11
-- ARGV  1 token  2 ttl in ms  3 number of fencing tokens  4 how long the fence is kept in ms, once
--       the clock has reached it
--       5 channel of this process, or empty  6 how long a notified waiter is preferred in us
--       7 '1' if the number of receivers of a message can be trusted  8 '1' if the caller waits; a caller
--       that does not wait leaves the queue  9 what the caller expects of a release, see release.lua, or empty
--       10 how long it expects that, in ms
--       11 number of replicas that confirm leases, or 0  12 grace period of a new master in ms
--       13 a replication id, and for how many seconds that many replicas have been connected to its master, or empty
-- Returns the first fencing token if granted; otherwise -1 - remaining ms, 0 if the holder's key never expires. In the
-- grace period of a new master, 1e15 less than that.
-- Keys that may have a wrong type are read before anything is written. The common case, a free lock without waiters,
-- defines no functions, because Redis would create them in every run.
-- A counter below the time of September 2001 is not one of these scripts; it does not belong to the existing lease.
local LEAST_BY_CLOCK = 1e15
local call, token, fences = redis.call, ARGV[1], tonumber(ARGV[3])
local kept = call('GET', KEYS[2])
local last = tonumber(kept or '0')
if not last then
  return redis.error_reply('WRONGTYPE the fencing counter is not a number: ' .. KEYS[2])
end
local queued = call('ZCARD', KEYS[3])
local time = call('TIME')
local now = time[1] * 1000000 + time[2]

-- The grace period, as in NFS (RFC 8881, section 8.4.2.1). A master that was promoted or restarted may lack leases that
-- the replication id before it had. It grants no lock until they have ended. Replicas that are online here confirm no
-- lease elsewhere, so the period begins when there are enough of them. A new set-up cannot be distinguished from a
-- promoted replica without data. A tool that reads a copy of the data has no port, and confirms nothing.
-- The record is the replication id, followed by ' <replicas>:<since in us>' for each number that a process has required.
-- A time proves nothing to a process that requires more replicas.
local grace, too_few = 0, false
if ARGV[11] ~= '0' then
  local info = call('INFO', 'replication')
  if string.find(info, 'role:slave', 1, true) then
    return redis.error_reply('READONLY this server is a replica')
  end
  local id = string.match(info, 'master_replid:(%x+)')
  local record = call('GET', KEYS[5]) or ''
  local asked, connected = string.match(ARGV[13], '^(%x+) (%d+)$')
  local latest = now - (asked == id and connected or 0) * 1000000
  local since, others = math.huge, id
  if string.match(record, '^%x+') == id then
    for number, begun in string.gmatch(record, ' (%d+):(%d+)') do
      if tonumber(number) >= tonumber(ARGV[11]) then
        since = math.min(since, begun)
      end
      if number ~= ARGV[11] then
        others = others .. ' ' .. number .. ':' .. begun
      end
    end
  end
  -- a time in the future is from before the clock was set back
  if since > latest then
    since = latest
    local _, online = string.gsub(info, 'port=[1-9]%d*,state=online', '')
    if online >= tonumber(ARGV[11]) then
      call('SET', KEYS[5], others .. ' ' .. ARGV[11] .. ':' .. string.format('%.0f', since))
    else
      too_few = 'NOREPLICAS ' .. online .. ' of ' .. ARGV[11] .. ' replicas are connected to the new master'
    end
  end
  grace = too_few and 1 or math.max(0, since + ARGV[12] * 1000 - now)
end

local granted = grace == 0 and queued == 0 and call('SET', KEYS[1], token, 'NX', 'PX', ARGV[2])

if not granted then
  local channel = ARGV[5]
  local me = channel .. '|' .. token

  local function stand_in_line()
    if ARGV[8] == '1' then
      call('ZADD', KEYS[3], 'NX', now, me)
      call('PEXPIRE', KEYS[3], 60000)
      if ARGV[9] ~= '' then
        call('SET', KEYS[4], ARGV[9], 'PX', ARGV[10])
      end
    elseif channel ~= '' then
      call('ZREM', KEYS[3], me)
    end
  end

  local function wake(waiter)
    call('ZADD', KEYS[3], 'XX', -now, waiter)
    local bar = string.find(waiter, '|', 1, true)
    local heard = call('PUBLISH', string.sub(waiter, 1, bar - 1), string.sub(waiter, bar + 1))
    return heard > 0 or ARGV[7] ~= '1'
  end

  -- Returns how long the lock is reserved for a notified waiter, in us. Skips waiters that do not respond.
  local function kept_for_another()
    local passed_over = false
    while true do
      local head = call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')
      if not head[1] or head[1] == me then
        return 0
      end
      local woken = -tonumber(head[2])
      -- a time in the future is from before the clock was set back
      if woken > 0 and woken <= now and now - woken < tonumber(ARGV[6]) then
        return tonumber(ARGV[6]) - (now - woken)
      end
      if woken <= 0 and not passed_over then
        return 0
      end
      if woken <= 0 and wake(head[1]) then
        return tonumber(ARGV[6])
      end
      call('ZREM', KEYS[3], head[1])
      passed_over = true
    end
  end

  if grace > 0 and call('EXISTS', KEYS[1]) == 0 then
    if too_few then
      return redis.error_reply(too_few)
    end
    stand_in_line()
    return -1e15 - 1 - math.ceil(grace / 1000)
  end

  if queued > 0 then
    if call('EXISTS', KEYS[1]) == 0 then
      local wait = kept_for_another()
      if wait > 0 then
        stand_in_line()
        return -1 - math.ceil(wait / 1000)
      end
      call('ZREM', KEYS[3], me)
    end
    granted = call('SET', KEYS[1], token, 'NX', 'PX', ARGV[2])
  end

  if not granted then
    if call('GET', KEYS[1]) ~= token then
      stand_in_line()
      return -1 - call('PTTL', KEYS[1])
    end
    -- written even if it changes nothing, see renew.lua
    call('PEXPIRE', KEYS[1], math.max(call('PTTL', KEYS[1]), ARGV[2]))
    call('ZREM', KEYS[3], me)
    if last > LEAST_BY_CLOCK then
      return last - fences + 1
    end
  end
end

local first = math.max(last + 1, now)
local reserved = first + fences - 1
local kept_for = ARGV[4] + math.max(0, math.ceil((reserved - now) / 1000))
call('SET', KEYS[2], string.format('%.0f', reserved), 'PX', string.format('%.0f', kept_for))
return first
