-- Looks at one set of a lock whose slot is being moved (rule 120): its readers, or its queue.
-- KEYS: set. ARGV: whether only those count whose time is not over (1 or 0).
-- Reply: {member, ...}, none if the key is another thing.
local least = '-inf'
if ARGV[1] == '1' then
  local time = redis.call('TIME')
  least = time[1] * 1000 + math.floor(time[2] / 1000)
end
local members = redis.pcall('ZRANGEBYSCORE', KEYS.set, least, '+inf', 'LIMIT', 0, 100)
return members.err and {} or members
