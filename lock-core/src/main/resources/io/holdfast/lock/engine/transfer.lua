-- Hands a lock over from one field to another of the same client, without a moment in which it is free.
-- KEYS: lock, clock, counter (with Redisson's keys). ARGV: old field, new field, lease in ms, whether
-- the lock keeps its token (1 or 0); with Redisson's keys also whether the counter begins here (1) or counts only if it is
-- there (0).
-- Reply: {1, token} the new field has it, also when an earlier request had moved it already; {0, 0} both are gone.
--
-- The expiry comes first: it is a write that is allowed with memory full, and it makes the others allowed.
local old, new, lease, keeps_token, begin = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5]

if redis.call('HEXISTS', KEYS.lock, old) == 1 then
  now_micros()
  redis.call('PEXPIRE', KEYS.lock, lease)
  local token, stored = mint(begin)
  enter(new, stored, keeps_token)
  redis.call('HDEL', KEYS.lock, old)
  return {1, token}
end

if redis.call('HEXISTS', KEYS.lock, new) == 1 then
  now_micros()
  raise(lease)
  return {1, tonumber(redis.call('HGET', KEYS.lock, 'token') or mint(begin))}
end

return {0, 0}
