-- Answers what vote.lua does, with 0 in place of its answer, and asks for nothing.
local time = redis.call('TIME')
local info = redis.call('INFO', 'server')
return string.format('0 %.0f %s %s 0', time[1] * 1000000 + time[2],
  string.match(info, 'run_id:(%w+)'), string.match(info, 'uptime_in_seconds:(%d+)'))
