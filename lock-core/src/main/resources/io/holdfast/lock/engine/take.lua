-- Takes a free lock without a token yet, where the token clock may be at another node: the slot is being moved (rule 99).
-- KEYS: lock. ARGV: field, lease in ms.
-- Reply: {1, token (0: none yet)} taken; {0, time to live in ms} refused.
local field, lease = ARGV[1], ARGV[2]

if redis.call('EXISTS', KEYS.lock) == 0 then
  enter(field, '0', '1')
  redis.call('PEXPIRE', KEYS.lock, lease)
  return {1, 0}
end

if redis.call('HEXISTS', KEYS.lock, field) == 1 then
  raise(lease)
  return {1, tonumber(redis.call('HGET', KEYS.lock, 'token') or 0)}
end

return {0, redis.call('PTTL', KEYS.lock)}
