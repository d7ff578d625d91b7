-- Takes a free lock; answers a repeated request of the same field as it answered the first.
-- KEYS: lock, token clock. ARGV: field, lease in ms, whether the lock keeps its token (1 or 0).
-- Reply: {1, token} granted; {0, time to live in ms} refused.
local lock, clock = KEYS[1], KEYS[2]
local field, lease, keeps_token = ARGV[1], ARGV[2], ARGV[3]

if redis.call('EXISTS', lock) == 0 then
  local token, stored = mint(clock)
  enter(lock, field, stored, keeps_token)
  redis.call('PEXPIRE', lock, lease)
  return {1, token}
end

if redis.call('HEXISTS', lock, field) == 1 then
  raise(lock, lease)
  return {1, tonumber(redis.call('HGET', lock, 'token') or mint(clock))}
end

return {0, redis.call('PTTL', lock)}
