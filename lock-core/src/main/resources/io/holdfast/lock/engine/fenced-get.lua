-- Reads a value.
-- KEYS: value. ARGV: none.
-- Reply: the value, or nothing.
return redis.call('HGET', KEYS[1], 'value')
