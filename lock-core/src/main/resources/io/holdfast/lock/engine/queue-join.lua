-- Takes a queued lock, or a place in its queue. Answers a repeated request of the same field as it answered the first; a
-- field that was admitted meanwhile claims what is reserved for it.
-- KEYS: lock, token clock, readers, queue, seen. ARGV: mode (w or r), field, lease in ms, the field under which the owner
-- holds the lock exclusively (empty: none), whether it waits (1 or 0), claim window in ms, presence in ms, channel.
-- Reply: {1, token, anew} granted; {0, time to live in ms (-2: ask again at once), place in the queue (-1: none), anew} refused.
-- Anew is 1 if it waits and stood in no queue before, else 0: what had a place has lost it.
local mode, field, lease, own = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local waits, window, presence, channel = ARGV[5] == '1', ARGV[6], ARGV[7], ARGV[8]
local member = mode .. field

local function is_present()
  redis.call('ZADD', seen, now() + presence, client(field))
  redis.call('PEXPIRE', seen, presence)
end

-- The client of a call that waits stays present while there is a queue, and so does one that asks beside its waiting calls. The
-- expiry comes first: it is a write that is allowed with memory full.
local function stays()
  if (waits or redis.call('ZSCORE', seen, client(field))) and redis.call('PEXPIRE', queue, presence) == 1 then
    is_present()
  end
end

local writes = look(mode == 'w' and field or own)

if mode == 'w' and writes then
  raise(lock, lease)
  stays()
  return {1, tonumber(written or mint(clock)), 0}
end
if mode == 'r' and reading and redis.call('ZSCORE', readers, field) then
  lengthen(field, lease)
  stays()
  -- One step admits so many readers, and those behind them fit as well: the first claim goes on.
  admit(channel, window, '', '0')
  return {1, (mint(clock)), 0}
end
if writes then
  unqueue(member)
  return {1, take(mode, field, lease), 0}
end

local last = redis.call('ZRANGE', queue, '-1', '-1', 'WITHSCORES')[2]
if not last and fits(mode) then
  return {1, take(mode, field, lease), waits and 1 or 0}
end

local anew = 0
if waits and not redis.call('ZSCORE', queue, member) then
  -- Present first: where that fails, no place may be left that never expires.
  is_present()
  redis.call('ZADD', queue, (last or 0) + 1, member)
  redis.call('PEXPIRE', queue, presence)
  anew = 1
else
  stays()
end

-- For how long what keeps others out stays as it is, if no step comes: where only readers do, until the first of them is over. No
-- message tells of that, and the lock lives as long as the last.
local function unchanged()
  local first_over = reading and not written and redis.call('ZRANGE', readers, '0', '0', 'WITHSCORES')[2]
  return first_over and first_over - now() or redis.call('PTTL', lock)
end

local token, _, more, first = admit(channel, window, member, lease)
if not (token or waits or first) and fits(mode) then
  token = take(mode, field, lease)
end
if token then
  return {1, token, anew}
end
return {0, more and -2 or unchanged(), redis.call('ZRANK', queue, member) or -1, anew}
