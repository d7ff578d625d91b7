-- Takes a lock once more. Never creates it: a hold that is gone stays gone.
-- KEYS: lock. ARGV: field, the hold count to reach, lease in ms.
-- Reply: 1 done; 0 the field is gone.
local field, count, lease = ARGV[1], ARGV[2], tonumber(ARGV[3])

if redis.call('HEXISTS', KEYS.lock, field) == 0 then
  return 0
end
raise(lease)
redis.call('HSET', KEYS.lock, field, count)
return 1
