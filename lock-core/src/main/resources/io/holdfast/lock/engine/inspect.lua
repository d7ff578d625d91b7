-- Looks at a lock. What can be neither a holder nor a token stays where it is: a lock's key may hold anything, of any
-- length, that was written by hand.
-- KEYS: lock; where it can have them, its readers and its queue. ARGV: channel.
-- Reply: {time to live in ms (-2: free, -1: no expiry), listening connections (-1: not allowed to ask), field, value, ...}; where
-- it can have them, in the end {{reader, ...}, {member of the queue, ...}}.
local most_fields, longest_field, most_digits = 100, 256, 18
local readers, queue = KEYS[2], KEYS[3]

-- The first of a sorted set that have this score or more; none if the key is another thing.
local function firsts(key, least)
  local members = redis.pcall('ZRANGEBYSCORE', key, least, '+inf', 'LIMIT', 0, most_fields)
  return members.err and {} or members
end

local answer = {redis.call('PTTL', KEYS[1]), -1}
local listening = redis.pcall('PUBSUB', 'NUMSUB', ARGV[1])
if type(listening[2]) == 'number' then
  answer[2] = listening[2]
end
if redis.call('HLEN', KEYS[1]) > most_fields then
  return answer
end
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if not (readers and field == 'readers') and #field <= longest_field
    and redis.call('HSTRLEN', KEYS[1], field) <= most_digits then
    local value = redis.call('HGET', KEYS[1], field)
    if string.find(value, '^%d+$') then
      answer[#answer + 1] = field
      answer[#answer + 1] = value
    end
  end
end
if readers then
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local reading = redis.call('HEXISTS', KEYS[1], 'readers') == 1
  local live = reading and firsts(readers, now) or {}
  if reading and #live == 0 and redis.call('HLEN', KEYS[1]) == 1 then
    -- It says that there are readers, and they are gone: the next step drops it.
    answer[1] = -2
  end
  answer[#answer + 1] = {live, firsts(queue, '-inf')}
end
return answer
