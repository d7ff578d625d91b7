-- Raises the deadlines of permits, each only if it is still taken.
-- KEYS: permits; for each in turn. ARGV: for each in turn: field, lease in ms.
-- Reply: for each in turn: 1 kept; 0 the field is gone.
--
-- A key of another type must not spoil the renewal of the others, hence pcall. The expiry comes first: it is a write that is
-- allowed with memory full, and it makes the others allowed.
-- DEADLINES are compared by the server's own time.
local now = math.floor(now_micros() / 1000)
local answers = {}

-- FOR EACH
if not ARGV[2 * EACH] then
  return answers
end
local field, deadline = ARGV[2 * EACH - 1], held_until(now + tonumber(ARGV[2 * EACH]))
local ends = redis.pcall('ZSCORE', KEYS.permits, field)
answers[EACH] = type(ends) == 'string' and tonumber(ends) > now and 1 or 0
if answers[EACH] == 1 and tonumber(ends) < deadline then
  local last = redis.call('ZRANGE', KEYS.permits, -1, -1, 'WITHSCORES')[2]
  redis.call('PEXPIREAT', KEYS.permits, math.max(deadline, last))
  redis.call('ZADD', KEYS.permits, deadline, field)
end
-- END
return answers
