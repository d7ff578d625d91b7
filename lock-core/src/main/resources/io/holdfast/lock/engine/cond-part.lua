-- Takes a field out of a condition, or gives back what it has of the lock: a hold, a reservation or a place in the queue. Admits
-- the next.
-- KEYS: lock, clock, readers, queue, seen, condition, present. ARGV: field, claim window in ms, channel.
-- Reply: {1, receivers of the message (-1: not allowed to publish)} it had a hold or a reservation; {0, 0} it had none.
local field, window, channel = ARGV[1], ARGV[2], ARGV[3]

local held = look(field)
-- As in the queue: what is in the place of the condition does not keep the lock from being released.
local left = redis.pcall('ZREM', KEYS.condition, 'w' .. field)
if type(left) == 'table' and not string.find(left.err, 'WRONGTYPE', 1, true) then
  redis.call('ZREM', KEYS.condition, 'w' .. field)
end
if held then
  redis.call('HDEL', KEYS.lock, field, 'token')
  written, freed = false, true
  if reading then
    seal()
  end
else
  unqueue('w' .. field)
end
local _, receivers = admit(channel, window, '', '0')
return held and {1, receivers} or {0, 0}
