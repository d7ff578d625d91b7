-- Gives a lock the token that a majority of the nodes is to have, if it is still the field's.
-- KEYS: lock, clock. ARGV: field, token, whether the lock keeps its token (1 or 0).
-- Reply: 1 the lock has the token under this field; 0 the field is gone.
local field, token, keeps_token = ARGV[1], tonumber(ARGV[2]), ARGV[3]

if redis.call('HEXISTS', KEYS.lock, field) == 0 then
  return 0
end
follow(token)
-- Where the token is that already, nothing is written: it is asked for once more with memory full, too.
if keeps_token == '1' and redis.call('HGET', KEYS.lock, 'token') ~= digits(token) then
  redis.call('HSET', KEYS.lock, 'token', digits(token))
end
return 1
