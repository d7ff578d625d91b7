-- Lowers the hold count, or frees the lock and tells whoever waits.
-- KEYS: lock. ARGV: field, the hold count to reach (0 frees), channel.
-- Reply: {1, receivers of the message (-1: not allowed to publish)} done; {0, 0} the field is gone.
--
-- With memory full a script may write only if its first write is one that needs no memory. DEL is; HSET is not, so
-- the lowering first sets the time to live to what it is.
local field, count, channel = ARGV[1], ARGV[2], ARGV[3]

if redis.call('HEXISTS', KEYS.lock, field) == 0 then
  return {0, 0}
end
if count == '0' then
  if redis.call('HEXISTS', KEYS.lock, 'readers') == 1 then
    -- The owner reads beside its hold, and was let in before this came: what says that there are readers stays.
    redis.call('HDEL', KEYS.lock, field, 'token')
  else
    redis.call('DEL', KEYS.lock)
  end
  return {1, tell(channel)}
end
local left = redis.call('PTTL', KEYS.lock)
if left > 0 then
  redis.call('PEXPIRE', KEYS.lock, left)
end
redis.call('HSET', KEYS.lock, field, count)
return {1, 0}
