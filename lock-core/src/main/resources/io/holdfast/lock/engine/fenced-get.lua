-- Reads a value. Under a token the read counts: writes with older tokens are refused from now on.
-- KEYS: value. ARGV: token (0: just look).
-- Reply: the value, or nothing.
local token = tonumber(ARGV[1])
if token > tonumber(redis.call('HGET', KEYS[1], 'token') or '0') then
  redis.call('HSET', KEYS[1], 'token', ARGV[1])
end
return redis.call('HGET', KEYS[1], 'value')
