-- Gives a lock that was taken without a token the one that was minted, unless it has one by now.
-- KEYS: lock. ARGV: field, token.
-- Reply: the lock's token; 0 the field is gone.
local field, token = ARGV[1], tonumber(ARGV[2])

if redis.call('HEXISTS', KEYS.lock, field) == 0 then
  return 0
end
local present = tonumber(redis.call('HGET', KEYS.lock, 'token') or 0)
if present > 0 then
  return present
end
redis.call('HSET', KEYS.lock, 'token', digits(token))
return token
