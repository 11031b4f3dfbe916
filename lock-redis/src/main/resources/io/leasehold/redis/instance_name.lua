-- KEYS  1 the record of an instance
-- Returns its name, or an empty string if there is no record.
return redis.call('GET', KEYS[1]) or ''
