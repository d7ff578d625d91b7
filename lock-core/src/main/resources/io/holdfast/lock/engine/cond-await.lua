-- Gives a fair lock up and awaits a condition of it, in one step. Answers a repeated request of the same field by where that
-- is: in the condition; in the lock's queue, if it was signalled or has left; at the lock, if that is reserved for it or its own;
-- nowhere: then it joins the queue.
-- KEYS: lock, clock, readers, queue, seen, condition, present. ARGV: field, lease in ms, the field of the hold that is
-- given up, the count of that, whether the field leaves the condition (1 or 0), claim window in ms, presence in ms, channel.
-- Reply: {1, token, anew, left} granted; {0, time to live in ms (-2: ask again at once; -1: none), place, anew, left} it waits.
-- Anew is 1 if there was neither the hold nor a place of the field; left is 1 if the field has left the condition by itself, in
-- this run or in an earlier one.
local field, lease, given, count = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local leaves, window, presence, channel = ARGV[5] == '1', ARGV[6], ARGV[7], ARGV[8]
local member = 'w' .. field

-- Every key is read before the first write: where one is of another type, the hold stays as it is.
local awaits = redis.call('ZSCORE', KEYS.condition, member)
local had_left = redis.call('ZSCORE', KEYS.present, field)
local queued, is_seen = redis.call('ZSCORE', KEYS.queue, member), redis.call('ZSCORE', KEYS.seen, client(field))
local claimed = redis.call('HGET', KEYS.lock, field)
local gives = look(given)
local left = leaves and had_left and 1 or 0

-- To give a lock up must work with memory full, and so must the place that it leaves for: this write is allowed then, and makes
-- the others allowed.
redis.call('PEXPIRE', KEYS.present, presence)

local function enqueue()
  local last = redis.call('ZRANGE', KEYS.queue, '-1', '-1', 'WITHSCORES')[2]
  is_present(field, presence)
  redis.call('ZADD', KEYS.queue, (last or 0) + 1, member)
  redis.call('PEXPIRE', KEYS.queue, presence)
end

-- What the client has in the condition stays as well, whichever of its calls asks; and in the queue, if it has anything there.
local function stays()
  if redis.call('PEXPIRE', KEYS.condition, presence) == 1 then
    redis.call('ZADD', KEYS.present, now() + presence, client(field))
    redis.call('PEXPIRE', KEYS.present, presence)
  end
  if (queued or is_seen) and redis.call('PEXPIRE', KEYS.queue, presence) == 1 then
    is_present(field, presence)
  end
end

local function granted(token, anew)
  if count ~= '1' then
    redis.call('HSET', KEYS.lock, field, count)
  end
  return {1, token, anew, left}
end

if claimed then
  claim_write(claimed, field, lease, window, channel)
  stays()
  return granted(tonumber(written or mint()), 0)
end

if gives then
  redis.call('HDEL', KEYS.lock, given, 'token')
  written, freed = false, true
  if reading then
    seal()
  end
end

local anew = 0
if leaves and (gives or awaits) then
  redis.call('ZREM', KEYS.condition, member)
  enqueue()
  redis.call('ZADD', KEYS.present, now() + presence, field)
  redis.call('PEXPIRE', KEYS.present, presence)
  awaits, left = false, 1
elseif gives then
  local last = redis.call('ZRANGE', KEYS.condition, '-1', '-1', 'WITHSCORES')[2]
  redis.call('ZREMRANGEBYSCORE', KEYS.present, '-inf', now())
  redis.call('ZADD', KEYS.condition, (last or 0) + 1, member)
  awaits = true
elseif not awaits and not queued then
  anew = 1
  enqueue()
end
stays()

local token, _, more = admit(channel, window, awaits and '' or member, lease)
if token then
  return granted(token, anew)
end
local live = more and -2 or redis.call('PTTL', KEYS.lock)
if awaits then
  local before = redis.call('ZCARD', KEYS.queue) + redis.call('ZRANK', KEYS.condition, member)
  return {0, not more and live == -2 and -1 or live, before, anew, left}
end
return {0, live, redis.call('ZRANK', KEYS.queue, member) or -1, anew, left}
