-- Takes places out of a queue whose calls have left (rule 122): those of one client that are older than all its calls which wait.
-- KEYS: queue. ARGV: what all fields of the client begin with, the number of the oldest of its calls that wait.
-- Reply: how many places were taken out.
--
-- A place that stays, in a queue that is longer, costs a claim window when its turn comes.
local client, oldest = ARGV[1], tonumber(ARGV[2])
local most_looked_at = 5000

local left = {}
for _, member in ipairs(redis.call('ZRANGE', KEYS.queue, '0', most_looked_at - 1)) do
  if string.sub(member, 2, #client + 1) == client then
    local number = string.match(member, ':(%d+)%*?%d*$')
    if number and tonumber(number) < oldest then
      left[#left + 1] = member
    end
  end
end
if #left > 0 then
  redis.call('ZREM', KEYS.queue, unpack(left))
end
return #left
