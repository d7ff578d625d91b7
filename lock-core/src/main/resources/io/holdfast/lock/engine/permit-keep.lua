-- Raises the deadlines of permits, each only if it is still taken.
-- KEYS: for each permit its semaphore's permits. ARGV: for each in turn: field, lease in ms.
-- Reply: for each in turn: 1 kept; 0 the field is gone.
--
-- A key of another type must not spoil the renewal of the others, hence pcall. The expiry comes first: it is a write that is
-- allowed with memory full, and it makes the others allowed.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local answers = {}
for i, permits in ipairs(KEYS) do
  local field, deadline = ARGV[2 * i - 1], held_until(now + tonumber(ARGV[2 * i]))
  local ends = redis.pcall('ZSCORE', permits, field)
  answers[i] = 0
  if type(ends) == 'string' and tonumber(ends) > now then
    answers[i] = 1
    if tonumber(ends) < deadline then
      local last = redis.call('ZRANGE', permits, -1, -1, 'WITHSCORES')[2]
      redis.call('PEXPIREAT', permits, math.max(deadline, last))
      redis.call('ZADD', permits, deadline, field)
    end
  end
end
return answers
