-- Looks at a lock. What can be neither a holder nor a token stays where it is: a lock's key may hold anything, of any
-- length, that was written by hand.
-- KEYS: lock, readers, queue (where it can have them). ARGV: channel.
-- Reply: {time to live in ms (-2: free, -1: no expiry), listening connections (-1: not allowed to ask), field, value, ...}; where
-- it can have them, in the end {{reader, ...}, {member of the queue, ...}}.
local has_readers = #KEYS > 1
local most_fields, longest_field, most_digits = 100, 256, 18

-- The members of a sorted set; none if the key is another thing.
local function found(members)
  return members.err and {} or members
end

local answer = {redis.call('PTTL', KEYS.lock), -1}
local listening = redis.pcall('PUBSUB', 'NUMSUB', ARGV[1])
if type(listening[2]) == 'number' then
  answer[2] = listening[2]
end
if redis.call('HLEN', KEYS.lock) > most_fields then
  return answer
end
for _, field in ipairs(redis.call('HKEYS', KEYS.lock)) do
  if not (has_readers and field == 'readers') and #field <= longest_field
    and redis.call('HSTRLEN', KEYS.lock, field) <= most_digits then
    local value = redis.call('HGET', KEYS.lock, field)
    if string.find(value, '^%d+$') then
      answer[#answer + 1] = field
      answer[#answer + 1] = value
    end
  end
end
if has_readers then
  local reading, live = redis.call('HEXISTS', KEYS.lock, 'readers') == 1, {}
  if reading then
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    live = found(redis.pcall('ZRANGEBYSCORE', KEYS.readers, now, '+inf', 'LIMIT', 0, most_fields))
  end
  if reading and #live == 0 and redis.call('HLEN', KEYS.lock) == 1 then
    -- It says that there are readers, and they are gone: the next step drops it.
    answer[1] = -2
  end
  answer[#answer + 1] = {live, found(redis.pcall('ZRANGEBYSCORE', KEYS.queue, '-inf', '+inf', 'LIMIT', 0, most_fields))}
end
return answer
