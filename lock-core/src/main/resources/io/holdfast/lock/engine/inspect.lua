-- Looks at a lock.
-- KEYS: lock. ARGV: channel.
-- Reply: {time to live in ms (-2: free, -1: no expiry), listening connections (-1: not allowed to ask), field, value, ...}
local answer = {redis.call('PTTL', KEYS[1]), -1}
local listening = redis.pcall('PUBSUB', 'NUMSUB', ARGV[1])
if type(listening[2]) == 'number' then
  answer[2] = listening[2]
end
for _, text in ipairs(redis.call('HGETALL', KEYS[1])) do
  answer[#answer + 1] = text
end
return answer
