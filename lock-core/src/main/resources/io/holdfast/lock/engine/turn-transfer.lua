-- Hands a lock over from one field to another of the same client, without a moment in which it is free, and puts tokens by with which
-- the client may hand it on from there among its own calls.
-- KEYS: lock, clock, turns, queue. ARGV: old field, new field, lease in ms, whether the lock keeps its token (1 or 0), how many
-- tokens.
-- Reply: {1, token, how many tokens follow each other from that on, who else wants the lock: 0 no client is known to, 1 another
-- client, 2 a call in the server's queue} the new field has it, also when an earlier request had moved it already: then it has one
-- token; {0, 0} both are gone.
--
-- The expiry comes first: it is a write that is allowed with memory full, and it makes the others allowed.
local old, new, lease, keeps_token, tokens = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])

if redis.call('HEXISTS', KEYS.lock, old) == 1 then
  now_micros()
  redis.call('PEXPIRE', KEYS.lock, lease)
  local token, stored = mint()
  enter(new, stored, keeps_token)
  redis.call('HDEL', KEYS.lock, old)
  return {1, token, put_by(token, tokens), others(client_of(new))}
end

if redis.call('HEXISTS', KEYS.lock, new) == 1 then
  now_micros()
  raise(lease)
  return {1, tonumber(redis.call('HGET', KEYS.lock, 'token') or mint()), 1, others(client_of(new))}
end

return {0, 0}
