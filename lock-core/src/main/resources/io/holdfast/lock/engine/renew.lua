-- Raises the time to live of many locks, each only if its field is still there.
-- KEYS: locks. ARGV: for each lock in turn: field, lease in ms.
-- Reply: for each lock in turn: 1 renewed; 0 the field is gone.
--
-- A key of another type must not spoil the renewal of the others, hence pcall.
local answers = {}
for i, lock in ipairs(KEYS) do
  if redis.pcall('HEXISTS', lock, ARGV[2 * i - 1]) == 1 then
    raise(lock, tonumber(ARGV[2 * i]))
    answers[i] = 1
  else
    answers[i] = 0
  end
end
return answers
