-- Gives back what a span has of a semaphore, permits, reservations or a place in the queue, and admits who comes next.
-- KEYS: permits, clock, limit, queue, seen. ARGV: span, claim window in ms, channel.
-- Reply: {1, receivers of the message (-1: not allowed to publish)} it had permits; {0, 0} it had none.
local span, window, channel = ARGV[1], ARGV[2], ARGV[3]

look(redis.pcall('HGET', KEYS.limit, 'limit'))
local held = redis.call('ZREM', KEYS.permits, unpack(fields(span)))
taken = taken - held
if held == 0 then
  unqueue('p' .. span)
end
local _, receivers = admit(channel, window, '', '0')
return held > 0 and {1, receivers} or {0, 0}
