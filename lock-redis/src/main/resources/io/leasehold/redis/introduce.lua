-- KEYS  1 the record of an instance
-- ARGV  1 its name  2 how long the record is kept in ms
-- Returns 1.
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
