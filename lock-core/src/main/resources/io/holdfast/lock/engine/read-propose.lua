-- Lets a reader in at one of several nodes, under a proposed token that all of them can take. Answers a repeated request of
-- the same field as it answered the first, with a token that may be newer.
-- KEYS: lock, clock, readers, queue, seen. ARGV: field, lease in ms, the field under which the owner holds the lock
-- exclusively (empty: none), the proposed token, how many microseconds ahead of this node's clock it may be.
-- Reply: {1, token, time in us} granted; {0, time to live in ms, time in us, the writer's field} refused.
--
-- Over several nodes there is no order: a queue that stands at this one is passed. A reader has no place for its token; what
-- counts is that the token clock has seen it (rule 66).
local field, lease, own = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local proposal, ahead = tonumber(ARGV[4]), tonumber(ARGV[5])

local writes = look(own)
if reading and redis.call('ZSCORE', KEYS.readers, field) then
  lengthen(field, lease)
  return {1, tonumber(redis.call('GET', KEYS.clock) or now_micros()), now_micros()}
end
if writes or fits('r') then
  local token = accept(proposal, ahead, now_micros())
  read(field, held_until(now() + lease))
  seal()
  return {1, token, now_micros()}
end

local holder = ''
for _, name in ipairs(redis.call('HKEYS', KEYS.lock)) do
  if name ~= 'token' and name ~= 'readers' then
    holder = name
  end
end
return {0, redis.call('PTTL', KEYS.lock), now_micros(), holder}
