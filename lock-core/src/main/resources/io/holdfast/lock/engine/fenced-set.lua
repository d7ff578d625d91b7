-- Writes a value unless a newer token was seen.
-- KEYS: value. ARGV: token, new value.
-- Reply: 1 written; 0 a newer token was seen.
local seen = tonumber(redis.call('HGET', KEYS.value, 'token') or '0')
if tonumber(ARGV[1]) < seen then
  return 0
end
redis.call('HSET', KEYS.value, 'token', ARGV[1], 'value', ARGV[2])
return 1
