-- Looks at many locks in one step: at those that are named, or at a page of those that the server has.
-- KEYS: none, since what a page has is not known before. ARGV: 1 if keys and channels are Redisson's, else 0; for a page the
-- cursor, how many keys to look at, and the pattern of the locks' keys; for named locks an empty cursor, and the locks.
-- Reply: {next cursor (0: that was all), lock, what inspect says of it, ...}; of named locks each, of a page those that are held.
local redisson, cursor = ARGV[1] == '1', ARGV[2]
local named = cursor == ''
local most_fields, longest_field, most_digits = 100, 256, 18
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function channel(lock)
  if not redisson then
    return lock .. ':free'
  end
  return 'redisson_lock__channel:' .. (string.find(lock, '{', 1, true) and lock or '{' .. lock .. '}')
end

-- With Redisson's keys any hash may be of the user's: a lock has an owner, which ends in a number. With Holdfast's a field says
-- that there are readers, which stand elsewhere.
local function may_hold(field)
  if redisson then
    return string.find(field, ':%d+$')
  end
  return field ~= 'readers'
end

-- The first of a sorted set that have this score or more; none if the key is another thing.
local function firsts(key, least)
  local members = redis.pcall('ZRANGEBYSCORE', key, least, '+inf', 'LIMIT', 0, most_fields)
  return members.err and {} or members
end

-- What inspect says, and whether an owner is there; nothing if the key is not a lock, or may not be looked at.
local function look(lock)
  local fields, left = redis.pcall('HLEN', lock), redis.pcall('PTTL', lock)
  if type(fields) ~= 'number' or type(left) ~= 'number' then
    return {-2, -1}, false
  end
  local answer, held = {left, -1}, not redisson and fields > 0
  local listening = redis.pcall('PUBSUB', 'NUMSUB', channel(lock))
  if type(listening[2]) == 'number' then
    answer[2] = listening[2]
  end
  if fields <= most_fields then
    for _, field in ipairs(redis.call('HKEYS', lock)) do
      if #field <= longest_field and may_hold(field) and redis.call('HSTRLEN', lock, field) <= most_digits then
        local value = redis.call('HGET', lock, field)
        if string.find(value, '^%d+$') then
          answer[#answer + 1] = field
          answer[#answer + 1] = value
          held = true
        end
      end
    end
  end
  if not redisson then
    local reading = fields > 0 and redis.call('HEXISTS', lock, 'readers') == 1
    answer[#answer + 1] = {reading and firsts(lock .. ':readers', now) or {}, firsts(lock .. ':queue', '-inf')}
  end
  return answer, held
end

local locks, reply = {}, {'0'}
if named then
  for i = 3, #ARGV do
    locks[i - 2] = ARGV[i]
  end
else
  local page = redis.call('SCAN', cursor, 'MATCH', ARGV[4], 'COUNT', ARGV[3], 'TYPE', 'hash')
  reply[1], locks = page[1], page[2]
end
for _, lock in ipairs(locks) do
  local answer, held = look(lock)
  if held or named then
    reply[#reply + 1] = lock
    reply[#reply + 1] = answer
  end
end
return reply
