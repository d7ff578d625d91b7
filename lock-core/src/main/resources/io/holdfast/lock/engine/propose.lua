-- Takes a free lock on one of several nodes, under a proposed token that all of them can take.
-- KEYS: lock, token clock. ARGV: field, lease in ms, whether the lock keeps its token (1 or 0), the proposed token, how
-- many microseconds ahead of this node's clock it may be.
-- Reply: {1, token, time in us} granted; {0, time to live in ms, time in us, the holder's field or 'readers'} refused.
--
-- While anybody reads, the hash is there and lives as long as the last reader: no reader need be looked at.
local lock, clock = KEYS[1], KEYS[2]
local field, lease, keeps_token = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local proposal, ahead = tonumber(ARGV[4]), tonumber(ARGV[5])

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

if redis.call('EXISTS', lock) == 0 then
  local token, stored = accept(clock, proposal, ahead, now)
  enter(lock, field, stored, keeps_token)
  redis.call('PEXPIRE', lock, lease)
  return {1, token, now}
end

if redis.call('HEXISTS', lock, field) == 1 then
  raise(lock, lease)
  return {1, tonumber(redis.call('HGET', lock, 'token') or redis.call('GET', clock) or now), now}
end

local holder = ''
for _, name in ipairs(redis.call('HKEYS', lock)) do
  if name ~= 'token' then
    holder = name
  end
end
return {0, redis.call('PTTL', lock), now, holder}
