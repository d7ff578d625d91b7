-- Moves calls that await a condition into the lock's queue, behind those that stand there: the first whose client is present,
-- or all of them. Only for the holder, and once for each signal.
-- KEYS: lock, clock, readers, queue, seen, condition, present. ARGV: the holder's field, id of the signal, whether it is
-- for all (1 or 0), presence in ms.
-- Reply: {1, how many were moved} done, now or by an earlier copy; {2, how many were moved} there is more than one step does:
-- ask again with the same id; {0, 0} the field does not hold the lock.
local holder, id, all, presence = ARGV[1], ARGV[2], ARGV[3] == '1', ARGV[4]
local most_moved = 500

if redis.call('HEXISTS', KEYS.lock, holder) == 0 then
  return {0, 0}
end
if redis.call('ZSCORE', KEYS.present, id) then
  return {1, 0}
end

-- Every key is read before the first write, which has to be one that is allowed with memory full.
local last = redis.call('ZRANGE', KEYS.queue, '-1', '-1', 'WITHSCORES')[2] or 0
redis.call('ZCARD', KEYS.seen)
now()
local awaiting = redis.call('ZRANGE', KEYS.condition, 0, most_moved - 1)
local moved, looked = 0, 0
while looked < #awaiting and (all or moved == 0) do
  looked = looked + 1
  local member = awaiting[looked]
  local owner = client(string.sub(member, 2))
  redis.call('ZREM', KEYS.condition, member)
  local until_ms = redis.call('ZSCORE', KEYS.present, owner)
  if until_ms and tonumber(until_ms) > now() then
    moved = moved + 1
    redis.call('ZADD', KEYS.queue, last + moved, member)
    redis.call('ZADD', KEYS.seen, 'GT', until_ms, owner)
  end
end
if moved > 0 then
  redis.call('PEXPIRE', KEYS.queue, presence)
  redis.call('PEXPIRE', KEYS.seen, presence)
end
-- No call can come to await while the lock is held. So a copy of this signal finds those that are left, or none.
if redis.call('EXISTS', KEYS.condition) == 1 then
  if all or moved == 0 then
    return {2, moved}
  end
  redis.call('ZREMRANGEBYSCORE', KEYS.present, '-inf', now())
  redis.call('ZADD', KEYS.present, now() + presence, id)
  redis.call('PEXPIRE', KEYS.present, presence)
end
return {1, moved}
