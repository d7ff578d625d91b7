-- Sets how many permits of a semaphore can be taken, and admits those who may be now. Takes none away.
-- KEYS: permits, clock, limit, queue, seen. ARGV: the version that the limit has (0: there is none), limit,
-- id of this change, claim window in ms, channel.
-- Reply: {1, limit, version} set, also by an earlier copy of this request; {0, limit (-1: none), version} another version.
local expected, wanted, id, window, channel = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

look(redis.call('HGET', KEYS.limit, 'limit'))
local found = redis.call('HMGET', KEYS.limit, 'version', 'by')
local version = tonumber(found[1]) or 0
if found[2] == id then
  return {1, most, version}
end
if tonumber(expected) ~= version then
  return {0, most or -1, version}
end
redis.call('HSET', KEYS.limit, 'limit', wanted, 'version', digits(version + 1), 'by', id)
most = tonumber(wanted)
admit(channel, window, '', '0')
return {1, most, version + 1}
