-- Takes members out of one set of a lock or a semaphore whose slot is being moved (rule 120): readers, permits, or a place in the
-- queue. Admits no one.
-- KEYS: set. ARGV: channel (empty: it was a place, of which no one is told), members.
-- Reply: {1, receivers of the message (-1: not allowed to publish)} some were there; {0, 0} none was.
--
-- As in the queue: what is in the place of that does not keep the lock from being released.
local channel = ARGV[1]

local gone = redis.pcall('ZREM', KEYS.set, unpack(ARGV, 2))
if type(gone) == 'table' then
  local stays = channel == '' and string.find(gone.err, 'WRONGTYPE', 1, true)
  return stays and {0, 0} or gone
end
if gone == 0 then
  return {0, 0}
end
return {1, channel == '' and 0 or tell(channel)}
