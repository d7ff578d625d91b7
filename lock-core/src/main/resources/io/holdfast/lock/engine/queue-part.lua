-- Gives back what a field has of a queued lock, a hold, a reservation or a place in the queue, and admits who comes next.
-- KEYS: lock, clock, readers, queue, seen. ARGV: mode (w or r), field, claim window in ms, channel.
-- Reply: {1, receivers of the message (-1: not allowed to publish)} it had a hold or a reservation; {0, 0} it had none.
local mode, field, window, channel = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local writes = look(field)
local held
if mode == 'w' then
  held = writes
  if held then
    redis.call('HDEL', KEYS.lock, field, 'token')
    written, freed = false, true
  end
else
  held = redis.call('ZREM', KEYS.readers, field) == 1
end
if not held then
  unqueue(mode .. field)
elseif reading then
  seal()
end
local _, receivers = admit(channel, window, '', '0')
return held and {1, receivers} or {0, 0}
