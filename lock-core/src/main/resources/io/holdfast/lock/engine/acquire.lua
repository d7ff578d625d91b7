-- Takes a free lock; answers a repeated request of the same field as it answered the first.
-- KEYS: lock, clock, counter (with Redisson's keys). ARGV: field, lease in ms, whether the lock keeps
-- its token (1 or 0); with Redisson's keys also whether the counter begins here (1) or counts only if it is there (0).
-- Reply: {1, token} granted; {0, time to live in ms} refused.
local field, lease, keeps_token, begin = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

if redis.call('EXISTS', KEYS.lock) == 0 then
  local token, stored = mint(begin)
  enter(field, stored, keeps_token)
  redis.call('PEXPIRE', KEYS.lock, lease)
  return {1, token}
end

if redis.call('HEXISTS', KEYS.lock, field) == 1 then
  now_micros()
  raise(lease)
  return {1, tonumber(redis.call('HGET', KEYS.lock, 'token') or mint(begin))}
end

return {0, redis.call('PTTL', KEYS.lock)}
