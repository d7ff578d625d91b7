-- Reads a value, unless it is too long to travel. Under a token the read counts: writes with older tokens are refused
-- from now on.
-- KEYS: value. ARGV: token (0: just look), most bytes.
-- Reply: the value, or nothing; {length in bytes} if it is longer than that, and the read has not counted.
local length = redis.call('HSTRLEN', KEYS.value, 'value')
if length > tonumber(ARGV[2]) then
  return {length}
end
local token = tonumber(ARGV[1])
if token > tonumber(redis.call('HGET', KEYS.value, 'token') or '0') then
  redis.call('HSET', KEYS.value, 'token', ARGV[1])
end
return redis.call('HGET', KEYS.value, 'value')
