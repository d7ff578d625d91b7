-- Writes down who leads, if its field holds the lock, and tells those who observe. A value that was set later stays.
-- KEYS: lock, leader. ARGV: field, id, value, version of the value, for how long the record stays at least in ms, channel.
-- Reply: 1 the field holds the lock; 0 it is gone.
--
-- With memory full a script may write only if its first write is one that needs no memory. HSET is none; PEXPIRE is one.
local found = redis.call('HMGET', KEYS.lock, ARGV[1], 'token')
local token = found[1] and found[2]
if not token then
  return 0
end
local record, stranger = read()
if not record then
  return stranger
end

local stays = math.max(tonumber(ARGV[5]), redis.call('PTTL', KEYS.lock))
redis.call('PEXPIRE', KEYS.leader, stays)
if record[1] ~= token or tonumber(record[2]) < tonumber(ARGV[4]) then
  redis.call('HSET', KEYS.leader, 'token', token, 'id', ARGV[2], 'value', ARGV[3], 'version', ARGV[4])
  redis.call('PEXPIRE', KEYS.leader, stays)
  redis.pcall('PUBLISH', ARGV[6], token)
end
return 1
