-- Raises the deadlines of readers, each only if it still reads.
-- KEYS: lock, readers; for each in turn. ARGV: for each in turn: field, lease in ms.
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
local ends = redis.pcall('HEXISTS', KEYS.lock, 'readers') == 1 and redis.pcall('ZSCORE', KEYS.readers, field)
answers[EACH] = type(ends) == 'string' and tonumber(ends) > now and 1 or 0
if answers[EACH] == 1 and tonumber(ends) < deadline then
  local last = math.max(deadline, redis.call('ZRANGE', KEYS.readers, -1, -1, 'WITHSCORES')[2])
  redis.call('PEXPIREAT', KEYS.readers, last)
  redis.call('ZADD', KEYS.readers, deadline, field)
  if redis.call('HEXISTS', KEYS.lock, 'token') == 0 then
    redis.call('PEXPIREAT', KEYS.lock, last)
  elseif redis.call('PTTL', KEYS.lock) < last - now then
    -- Counted from here on: if the server has stood still since it was asked for the time, the last may be over, and the writer not.
    redis.call('PEXPIRE', KEYS.lock, last - now)
  end
end
-- END
return answers
