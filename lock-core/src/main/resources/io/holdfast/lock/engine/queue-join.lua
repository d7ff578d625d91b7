-- Takes a queued lock, or a place in its queue. Answers a repeated request of the same field as it answered the first; a
-- field that was admitted meanwhile claims what is reserved for it.
-- KEYS: lock, token clock, readers, queue, seen. ARGV: mode (w or r), field, lease in ms, the field under which the owner
-- holds the lock exclusively (empty: none), whether it waits (1 or 0), claim window in ms, presence in ms, channel.
-- Reply: {1, token, anew} granted; {0, time to live in ms (-2: ask again at once), place in the queue (-1: none), anew} refused.
-- Anew is 1 if it waits and stood in no queue before, else 0: what had a place has lost it.
local mode, field, lease, own = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
local waits, window, presence, channel = ARGV[5] == '1', tonumber(ARGV[6]), tonumber(ARGV[7]), ARGV[8]
local member = mode .. field

local function is_present()
  redis.call('ZADD', seen, now + presence, client(field))
  redis.call('PEXPIRE', seen, presence)
end

-- The client of a call that waits stays present, and so does one that asks beside its waiting calls. The expiry comes first:
-- it is a write that is allowed with memory full.
local function stays()
  if redis.call('EXISTS', queue) == 1 and (waits or redis.call('ZSCORE', seen, client(field))) then
    redis.call('PEXPIRE', queue, presence)
    is_present()
  end
end

sweep()

if mode == 'w' and redis.call('HEXISTS', lock, field) == 1 then
  raise(lock, lease)
  stays()
  return {1, tonumber(redis.call('HGET', lock, 'token') or mint(clock)), 0}
end
if mode == 'r' and redis.call('ZSCORE', readers, field) then
  redis.call('PEXPIREAT', readers, now + lease)
  redis.call('ZADD', readers, 'GT', now + lease, field)
  seal()
  stays()
  -- One step admits so many readers, and those behind them fit as well: the first claim goes on.
  admit(channel, window, '', 0)
  return {1, (mint(clock)), 0}
end
if mode == 'r' and own ~= '' and redis.call('HEXISTS', lock, own) == 1 then
  redis.call('ZREM', queue, member)
  return {1, (admitted(mode, field, lease)), 0}
end

local anew = waits and not redis.call('ZSCORE', queue, member)
if fits(mode) and redis.call('EXISTS', queue) == 0 then
  return {1, (admitted(mode, field, lease)), anew and 1 or 0}
end

if anew then
  -- Present first: where that fails, no place may be left that never expires.
  is_present()
  local last = redis.call('ZRANGE', queue, -1, -1, 'WITHSCORES')[2]
  redis.call('ZADD', queue, (last or 0) + 1, member)
  redis.call('PEXPIRE', queue, presence)
else
  stays()
end

local token, _, more = admit(channel, window, member, lease)
if not (token or waits) and fits(mode) and redis.call('EXISTS', queue) == 0 then
  token = admitted(mode, field, lease)
end
if token then
  return {1, token, anew and 1 or 0}
end
return {0, more and -2 or redis.call('PTTL', lock), redis.call('ZRANK', queue, member) or -1, anew and 1 or 0}
