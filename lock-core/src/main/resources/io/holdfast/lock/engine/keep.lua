-- Raises the deadlines of readers, each only if it still reads.
-- KEYS: for each reader in turn: lock, readers. ARGV: for each in turn: field, lease in ms.
-- Reply: for each in turn: 1 kept; 0 the field is gone.
--
-- A key of another type must not spoil the renewal of the others, hence pcall. The expiry comes first: it is a write that is
-- allowed with memory full, and it makes the others allowed.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local answers = {}
for i = 1, #KEYS / 2 do
  local lock, readers = KEYS[2 * i - 1], KEYS[2 * i]
  local field, deadline = ARGV[2 * i - 1], held_until(now + tonumber(ARGV[2 * i]))
  local ends = redis.pcall('HEXISTS', lock, 'readers') == 1 and redis.pcall('ZSCORE', readers, field)
  answers[i] = 0
  if type(ends) == 'string' and tonumber(ends) > now then
    answers[i] = 1
    if tonumber(ends) < deadline then
      local last = math.max(deadline, redis.call('ZRANGE', readers, -1, -1, 'WITHSCORES')[2])
      redis.call('PEXPIREAT', readers, last)
      redis.call('ZADD', readers, deadline, field)
      if redis.call('HEXISTS', lock, 'token') == 0 then
        redis.call('PEXPIREAT', lock, last)
      elseif redis.call('PTTL', lock) < last - now then
        -- Counted from here on: if the server has stood still since it was asked for the time, the last may be over, and the writer not.
        redis.call('PEXPIRE', lock, last - now)
      end
    end
  end
end
return answers
