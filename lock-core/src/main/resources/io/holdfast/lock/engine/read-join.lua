-- Gives a reader a node that has not let it in yet, if none writes there; it may read there already.
-- KEYS: lock, clock, readers, queue, seen. ARGV: field, lease in ms, the hold's token.
-- Reply: {1, 0} joined; {0, time to live in ms} a writer has the lock.
local field, lease, token = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

look('')
if reading and redis.call('ZSCORE', KEYS.readers, field) then
  lengthen(field, lease)
elseif fits('r') then
  read(field, held_until(now() + lease))
  seal()
else
  return {0, redis.call('PTTL', KEYS.lock)}
end
follow(token)
return {1, 0}
