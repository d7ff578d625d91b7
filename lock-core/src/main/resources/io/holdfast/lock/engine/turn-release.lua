-- Frees a lock, reserves it for the client that has waited longest, and tells all that wait for which.
-- KEYS: lock, turns, queue. ARGV: field, 0, channel, whether its client waits again (0 for not, 1, or as many * as its client's word has),
-- or gives way to others (2, and as many * behind it): it got this node of several and too few of the others, and keeps its place.
-- Reply: {1, receivers of the message (-1: not allowed to publish)} done, {2, receivers} done, and the lock is reserved; {0, 0} the
-- field is gone.
--
-- With memory full a script may write only if its first write is one that needs no memory. DEL is.
local field, channel, waits = ARGV[1], ARGV[3], ARGV[4]
local gives_way = string.sub(waits, 1, 1) == '2'

if redis.call('HEXISTS', KEYS.lock, field) == 0 then
  return {0, 0}
end
if redis.call('HEXISTS', KEYS.lock, 'readers') == 1 then
  -- The owner reads beside its hold, and was let in before this came: what says that there are readers stays.
  redis.call('HDEL', KEYS.lock, field, 'token')
  return {1, tell(channel)}
end
local is_wanted = gives_way or redis.call('EXISTS', KEYS.turns) == 1
if is_wanted then
  now_micros()
end
redis.call('DEL', KEYS.lock)
if not is_wanted then
  return {1, tell(channel)}
end
