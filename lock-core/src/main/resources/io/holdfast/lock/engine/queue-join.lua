-- Takes a queued lock, or a place in its queue. Answers a repeated request of the same field as it answered the first; a
-- field that was admitted meanwhile claims what is reserved for it.
-- KEYS: lock, clock, readers, queue, seen. ARGV: mode (w or r), field, lease in ms, the field under which the owner
-- holds the lock exclusively (empty: none), whether it waits (1 or 0), claim window in ms, presence in ms, channel.
-- Reply: {1, token, anew} granted; {0, time to live in ms (-2: ask again at once), place in the queue (-1: none), anew} refused.
-- Anew is 1 if it waits and stood in no queue before, else 0: what had a place has lost it.
local mode, field, lease, own = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local waits, window, presence, channel = ARGV[5] == '1', ARGV[6], ARGV[7], ARGV[8]

local writes = look(mode == 'w' and field or own)

if mode == 'w' and writes then
  claim_write(writes, field, lease, window, channel)
  stays(field, waits, presence)
  return {1, tonumber(written or mint()), 0}
end
local reads_until = mode == 'r' and reading and redis.call('ZSCORE', KEYS.readers, field)
if reads_until then
  if is_reservation(reads_until, window) then
    claim(channel, lease, window, function() lengthen(field, lease, 'XX') end)
  else
    lengthen(field, lease)
  end
  stays(field, waits, presence)
  -- One step admits so many readers, and those behind them fit as well: the first claim goes on.
  admit(channel, window, '', '0')
  return {1, (mint()), 0}
end
if writes then
  unqueue(mode .. field)
  return {1, take(mode, field, lease), 0}
end

return ask(mode, field, lease, waits, window, presence, channel)
