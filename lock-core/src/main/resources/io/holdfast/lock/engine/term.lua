-- Begins the term of a server under an epoch, unless the server is in it already (rule 86).
-- KEYS: term. ARGV: the Sentinels' epoch.
-- Reply: {1} the server is in the term; {-2, why} INFO is refused; {-3} INFO tells no id.
--
-- DEL comes first: it is a write that is allowed with memory full, and it makes the other allowed.
local epoch = ARGV[1]

-- A term that begins later than now is none, and what is no term stays: GET says WRONGTYPE.
local since, now = redis.call('HGET', KEYS.term, 'since'), redis.call('TIME')
if since and tonumber(since) > now[1] * 1000000 + now[2] then
  redis.call('DEL', KEYS.term)
elseif not since and redis.call('EXISTS', KEYS.term) == 1 then
  redis.call('GET', KEYS.term)
end

local id, untold = replication_id()
if not id then
  return untold
end
if redis.call('HGET', KEYS.term, 'id') ~= id or redis.call('HGET', KEYS.term, 'epoch') ~= epoch then
  redis.call('DEL', KEYS.term)
  redis.call('HSET', KEYS.term, 'id', id, 'epoch', epoch, 'since', string.format('%.0f', now[1] * 1000000 + now[2]))
end
return {1}
