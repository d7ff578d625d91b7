-- Takes a free lock on one of several nodes, under a proposed token that all of them can take.
-- KEYS: lock, clock. ARGV: field, lease in ms, whether the lock keeps its token (1 or 0), the proposed token, how
-- many microseconds ahead of this node's clock it may be.
-- Reply: {1, token, time in us} granted; {0, time to live in ms, time in us, the holder's field or 'readers'} refused.
--
-- While anybody reads, the hash is there and lives as long as the last reader: no reader need be looked at.
local field, lease, keeps_token = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local proposal, ahead = tonumber(ARGV[4]), tonumber(ARGV[5])

local now = now_micros()

if redis.call('EXISTS', KEYS.lock) == 0 then
  local token, stored = accept(proposal, ahead, now)
  enter(field, stored, keeps_token)
  redis.call('PEXPIRE', KEYS.lock, lease)
  return {1, token, now}
end

if redis.call('HEXISTS', KEYS.lock, field) == 1 then
  raise(lease)
  return {1, tonumber(redis.call('HGET', KEYS.lock, 'token') or redis.call('GET', KEYS.clock) or now), now}
end

local holder = ''
for _, name in ipairs(redis.call('HKEYS', KEYS.lock)) do
  if name ~= 'token' then
    holder = name
  end
end
return {0, redis.call('PTTL', KEYS.lock), now, holder}
