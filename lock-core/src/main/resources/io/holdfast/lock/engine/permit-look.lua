-- Looks at a semaphore, and changes nothing.
-- KEYS: permits, limit. ARGV: none.
-- Reply: {limit (-1: none was set), permits that are taken, version of the limit}.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local found = redis.call('HMGET', KEYS.limit, 'limit', 'version')
return {tonumber(found[1] or -1), redis.call('ZCOUNT', KEYS.permits, string.format('(%.0f', now), '+inf'),
  tonumber(found[2] or 0)}
