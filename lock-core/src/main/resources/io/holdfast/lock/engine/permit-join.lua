-- Takes permits of a semaphore together, or a place in its queue. Answers a repeated request of the same span as it answered the
-- first; a span that was admitted meanwhile claims what is reserved for it.
-- KEYS: permits, clock, limit, queue, seen. ARGV: span, lease in ms, whether it waits (1 or 0), claim window in ms,
-- presence in ms, channel.
-- Reply: {1, token of the first, anew} granted; {0, time to live in ms (-2: ask again at once, -1: none is taken), place in the
-- queue (-1: none), anew} refused; {-1, limit} refused, since the limit is less.
-- Anew is 1 if it waits and stood in no queue before, else 0: what had a place has lost it.
local span, lease = ARGV[1], ARGV[2]
local waits, window, presence, channel = ARGV[3] == '1', ARGV[4], ARGV[5], ARGV[6]

look(redis.call('HGET', KEYS.limit, 'limit'))

local here, is_reserved = 0, true
for _, score in ipairs(redis.call('ZMSCORE', KEYS.permits, unpack(fields(span)))) do
  here = here + (score and 1 or 0)
  is_reserved = is_reserved and score and is_reservation(score, window)
end
if here == size(span) then
  -- The set may live longer than its permits. They are the asker's only if it gets a token: what is in the clock's place may be none.
  local deadline = held_until(now() + lease)
  live_until(deadline)
  local token = tokens(span)
  if is_reserved then
    claim(channel, lease, window, function() write(span, deadline, 'XX') end)
  else
    write(span, deadline)
  end
  stays(span, waits, presence)
  -- One step admits so much, and there may be room for more: the first claim goes on.
  admit(channel, window, '', '0')
  return {1, token, 0}
end
if here > 0 then
  -- Another client has released some of what was reserved: taken together or not at all.
  taken = taken - redis.call('ZREM', KEYS.permits, unpack(fields(span)))
end
if not can_fit('p', span) then
  unqueue('p' .. span)
  admit(channel, window, '', '0')
  return {-1, most}
end

return ask('p', span, lease, waits, window, presence, channel)
