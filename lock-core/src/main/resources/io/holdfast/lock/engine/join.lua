-- Gives a hold a node that has not granted it yet, if the lock is free there or the field's already.
-- KEYS: lock, clock. ARGV: field, the hold count, lease in ms, whether the lock keeps its token (1 or 0), the hold's
-- token.
-- Reply: {1, 0} joined; {0, time to live in ms} another field has the lock.
local field, count, lease, keeps_token, token = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[5])

local left = redis.call('PTTL', KEYS.lock)
if left ~= -2 and redis.call('HEXISTS', KEYS.lock, field) == 0 then
  return {0, left}
end
if keeps_token == '1' then
  redis.call('HSET', KEYS.lock, field, count, 'token', digits(token))
else
  redis.call('HSET', KEYS.lock, field, count)
end
if left == -2 or (left >= 0 and left < lease) then
  redis.call('PEXPIRE', KEYS.lock, lease)
end
follow(token)
return {1, 0}
