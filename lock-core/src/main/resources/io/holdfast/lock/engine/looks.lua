-- Looks at many locks in one step, as inspect does.
-- KEYS: lock, readers, queue; for each in turn (with Redisson's keys the lock three times). ARGV: 1 if keys are Redisson's, else 0;
-- for each in turn its channel.
-- Reply: for each in turn what inspect says; {-2, -1} if the key is no lock, or may not be looked at.
local redisson = ARGV[1] == '1'
local most_fields, longest_field, most_digits = 100, 256, 18

-- With Redisson's keys any hash may be of the user's: a lock has an owner, which ends in a number. With Holdfast's a field says
-- that there are readers, which stand elsewhere.
local function may_hold(field)
  if redisson then
    return string.find(field, ':%d+$')
  end
  return field ~= 'readers'
end

local millis
local function now()
  if not millis then
    local time = redis.call('TIME')
    millis = time[1] * 1000 + math.floor(time[2] / 1000)
  end
  return millis
end

-- The members of a sorted set; none if the key is another thing.
local function found(members)
  return members.err and {} or members
end

local function add(answer, field, value)
  if value and string.find(value, '^%d+$') then
    answer[#answer + 1] = field
    answer[#answer + 1] = value
  end
end

local answers = {}

-- FOR EACH
if not ARGV[1 + EACH] then
  return answers
end
local answer, fields = {redis.pcall('PTTL', KEYS.lock), -1}, redis.pcall('HLEN', KEYS.lock)
local known = type(answer[1]) == 'number' and type(fields) == 'number'
local listening = redis.pcall('PUBSUB', 'NUMSUB', ARGV[1 + EACH])
if type(listening[2]) == 'number' then
  answer[2] = listening[2]
end
for _, field in ipairs(known and fields <= most_fields and redis.call('HKEYS', KEYS.lock) or {}) do
  if #field <= longest_field and may_hold(field) and redis.call('HSTRLEN', KEYS.lock, field) <= most_digits then
    add(answer, field, redis.call('HGET', KEYS.lock, field))
  end
end
if known and not redisson then
  local reading = redis.call('HEXISTS', KEYS.lock, 'readers') == 1
  answer[#answer + 1] = {
    reading and found(redis.pcall('ZRANGEBYSCORE', KEYS.readers, now(), '+inf', 'LIMIT', 0, most_fields)) or {},
    found(redis.pcall('ZRANGEBYSCORE', KEYS.queue, '-inf', '+inf', 'LIMIT', 0, most_fields))
  }
end
answers[EACH] = known and (not redisson or #answer > 2) and answer or {-2, -1}
-- END
return answers
