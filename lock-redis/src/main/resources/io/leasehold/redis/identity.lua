-- Returns the same values as vote.lua, with 0 instead of the answer, and acquires nothing.
local time = redis.call('TIME')
local info = redis.call('INFO', 'server')
return string.format('0 %.0f %s %s 0', time[1] * 1000000 + time[2],
  string.match(info, 'run_id:(%w+)'), string.match(info, 'uptime_in_seconds:(%-?%d+)'))
