-- What the scripts of queued locks share: this text stands behind what all queues share, and before each of them.
-- KEYS, ARGV and the reply are the script's own.
--
-- The lock is one hash for plain, fair, read and write locks. A writer is a field of it, with a token; while anybody reads
-- it has the field `readers`. Each reader is in the set of readers, with a deadline of its own. In the queue a writer has the
-- letter `w` and a reader `r`.
--
-- A step reads the hash once, with `look`. From then on `written` and `reading` say what is in it, and are kept in step.

-- The token of a writer, and the field `readers`; false if the hash has none.
local written, reading

-- Brings the lock in line with its readers: it lives as long as the last of them, and with a writer at least so long.
-- The expiry comes first: it is a write that is allowed with memory full, and it makes the others allowed.
local function seal()
  local last = redis.call('ZRANGE', KEYS.readers, '-1', '-1', 'WITHSCORES')[2]
  if not last then
    freed = redis.call('HDEL', KEYS.lock, 'readers') == 1 or freed
    reading = false
    return
  end
  redis.call('PEXPIREAT', KEYS.readers, last)
  if not written then
    redis.call('PEXPIREAT', KEYS.lock, last)
  elseif redis.call('PTTL', KEYS.lock) < last - now() then
    -- Counted from here on: if the server has stood still since it was asked for the time, the last may be over, and the writer not.
    redis.call('PEXPIRE', KEYS.lock, last - now())
  end
end

-- Reads the hash, and drops readers whose time is over. A hash without the field `readers` was removed by force, and its
-- readers with it; something else that is in their place stays, and is told of by the error. A reader that left while the slot
-- was being moved left the field behind, which it may not have been the last to need (rule 120). Where there is nothing to drop
-- nothing is written: after a write the server would allow any other with memory full. Returns what the hash has under this
-- field.
local function look(field)
  now()
  local found = redis.call('HMGET', KEYS.lock, 'token', 'readers', field)
  written, reading = found[1], found[2]
  if not reading then
    if redis.call('ZCARD', KEYS.readers) > 0 then
      redis.call('DEL', KEYS.readers)
    end
  else
    local first_over = redis.call('ZRANGE', KEYS.readers, '0', '0', 'WITHSCORES')[2]
    if not first_over or tonumber(first_over) <= now() then
      redis.call('ZREMRANGEBYSCORE', KEYS.readers, '-inf', now())
      seal()
    end
  end
  return found[3]
end

function fits(mode)
  return not written and (mode == 'r' or not reading)
end

function can_fit()
  return true
end

function is_much()
  return false
end

-- Where only readers keep others out, that is until the first of them is over: no message tells of that, and the lock lives as long
-- as the last.
function time_left()
  local first_over = reading and not written and redis.call('ZRANGE', KEYS.readers, '0', '0', 'WITHSCORES')[2]
  return first_over and first_over - now() or redis.call('PTTL', KEYS.lock)
end

-- Lets a writer in, which fits, with this count: one that the lock is reserved for has 0. Returns its token.
local function write(field, count, lease)
  local token, stored = mint()
  redis.call('HSET', KEYS.lock, field, count, 'token', stored)
  redis.call('PEXPIRE', KEYS.lock, lease)
  written = stored
  return token
end

-- Lets a reader in, which fits or writes; the lock is to be sealed afterwards.
local function read(field, deadline)
  if not reading then
    reading = '1'
    redis.call('HSET', KEYS.lock, 'readers', reading)
  end
  redis.call('ZADD', KEYS.readers, deadline, field)
end

-- Lets in who asks, which fits or, as a reader, writes. Returns its token; a reader that is admitted by another step gets its
-- own when it claims what is reserved.
function take(mode, field, lease)
  if mode == 'w' then
    return write(field, '1', lease)
  end
  local token = mint()
  read(field, held_until(now() + lease))
  seal()
  return token
end

-- Sets the deadline of a reader; never lowers it, unless it is that of a reservation. The expiry comes first: it is a write that is
-- allowed with memory full. It is that of the last reader: if the server has stood still since, this one's may be in the past, which
-- would remove them all.
local function lengthen(field, lease, which)
  local deadline = held_until(now() + lease)
  redis.call('PEXPIREAT', KEYS.readers, math.max(deadline, redis.call('ZRANGE', KEYS.readers, '-1', '-1', 'WITHSCORES')[2]))
  redis.call('ZADD', KEYS.readers, which or 'GT', deadline, field)
  seal()
end

-- Turns what was reserved for a writer into its hold, or raises the lease of a hold that it has; `writes` is its count.
local function claim_write(writes, field, lease, window, channel)
  if writes ~= '0' then
    raise(lease)
    return
  end
  claim(channel, lease, window, function()
    redis.call('PEXPIRE', KEYS.lock, lease)
    redis.call('HSET', KEYS.lock, field, '1')
  end)
end

function reserve(mode, field, window)
  if mode == 'w' then
    write(field, '0', window)
  else
    read(field, reserved_until(now() + window))
  end
end

function reserved()
  if reading then
    seal()
  end
end
