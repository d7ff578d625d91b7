-- Raises the time to live of many locks, each only if its field is still there.
-- KEYS: lock; for each in turn. ARGV: for each in turn: field, lease in ms.
-- Reply: for each lock in turn: 1 renewed; 0 the field is gone.
--
-- A key of another type must not spoil the renewal of the others, hence pcall.
local answers = {}

-- FOR EACH
if not ARGV[2 * EACH] then
  return answers
end
answers[EACH] = redis.pcall('HEXISTS', KEYS.lock, ARGV[2 * EACH - 1]) == 1 and 1 or 0
local left = answers[EACH] == 1 and redis.call('PTTL', KEYS.lock) or -1
if left >= 0 and left < tonumber(ARGV[2 * EACH]) then
  redis.call('PEXPIRE', KEYS.lock, ARGV[2 * EACH])
end
-- END
return answers
