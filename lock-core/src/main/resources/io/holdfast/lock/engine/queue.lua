-- What the scripts of queued locks share: this text stands behind what all scripts share, and before each of them.
-- KEYS of all: lock, token clock, readers, queue, seen.
--
-- The lock is one hash for plain, fair, read and write locks. A writer is a field of it, with a token; while anybody reads
-- it has the field `readers`. Each reader is in the set of readers, with a deadline of its own. The queue has the waiters:
-- `w` or `r` and the field, in the order of their places. While there are any, `seen` says until when each client counts as
-- present.
local lock, clock, readers, queue, seen = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local most_admitted, most_dropped, deputies_at_once = 64, 500, 16

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- Whether the last reader, or the writer, has gone in this step.
local freed = false

local function client(field)
  return string.match(field, '^[^:]*')
end

local function alive(field)
  local until_ms = redis.call('ZSCORE', seen, client(field))
  return until_ms and tonumber(until_ms) > now
end

-- Brings the lock in line with its readers: it lives as long as the last of them, and with a writer at least so long.
-- The expiry comes first: it is a write that is allowed with memory full, and it makes the others allowed.
local function seal()
  local last = redis.call('ZRANGE', readers, -1, -1, 'WITHSCORES')[2]
  if not last then
    freed = redis.call('HDEL', lock, 'readers') == 1 or freed
    return
  end
  redis.call('PEXPIREAT', readers, last)
  redis.call('HSET', lock, 'readers', '1')
  if redis.call('HEXISTS', lock, 'token') == 0 or redis.call('PTTL', lock) < last - now then
    redis.call('PEXPIREAT', lock, last)
  end
end

-- Drops readers whose time is over. A hash without the field was removed by force, and its readers with it; something else
-- that is in their place stays, and is told of by the error. Where there is nothing to drop nothing is written: after a
-- write the server would allow any other with memory full.
local function sweep()
  if redis.call('HEXISTS', lock, 'readers') == 0 then
    if redis.call('ZCARD', readers) > 0 then
      redis.call('DEL', readers)
    end
  elseif redis.call('ZCOUNT', readers, '-inf', now) > 0 then
    redis.call('ZREMRANGEBYSCORE', readers, '-inf', now)
    seal()
  end
end

local function fits(mode)
  return redis.call('HEXISTS', lock, 'token') == 0
    and (mode == 'r' or redis.call('HEXISTS', lock, 'readers') == 0)
end

-- Lets a field in, which fits. Returns its token.
local function admitted(mode, field, lease)
  local token, stored = mint(clock)
  if mode == 'w' then
    enter(lock, field, stored, '1')
    redis.call('PEXPIRE', lock, lease)
  else
    redis.call('ZADD', readers, now + lease, field)
    seal()
  end
  return token
end

-- Who looks if the last that was told does not come: the first left that is present, and of another client. Usually that is
-- one of the next few; the many calls of one process may stand between.
local function deputy(told)
  local from, others = 0, redis.call('ZCARD', seen) > 1
  while others and from < most_dropped do
    local members = redis.call('ZRANGE', queue, from, from + deputies_at_once - 1)
    for _, member in ipairs(members) do
      local field = string.sub(member, 2)
      if client(field) ~= client(told) and alive(field) then
        return field
      end
    end
    from, others = from + deputies_at_once, #members == deputies_at_once
  end
  return ''
end

local function publish(channel, message)
  local receivers = redis.pcall('PUBLISH', channel, message)
  return type(receivers) == 'number' and receivers or -1
end

-- Admits from the front of the queue what fits, and no one past the first that does not. Who asks gets the lock for its
-- lease; each other gets a reservation, and is told. Returns the token of who asks, if it was its turn; how many were
-- told; and whether more may be admitted at once.
local function admit(channel, window, asker, lease)
  local told, dropped, token = {}, 0, nil
  local first = redis.call('ZRANGE', queue, 0, 0)[1]
  while first and #told < most_admitted and dropped < most_dropped do
    local mode, field = string.sub(first, 1, 1), string.sub(first, 2)
    if not alive(field) then
      redis.call('ZREM', queue, first)
      dropped = dropped + 1
    elseif not fits(mode) then
      break
    else
      redis.call('ZREM', queue, first)
      if first == asker then
        token = admitted(mode, field, lease)
      else
        admitted(mode, field, window)
        redis.call('ZADD', seen, 'XX', 'LT', now + window, client(field))
        told[#told + 1] = field
      end
    end
    first = redis.call('ZRANGE', queue, 0, 0)[1]
  end
  local more = first and (#told == most_admitted or dropped == most_dropped)
  local receivers = 0
  if not first then
    redis.pcall('ZREMRANGEBYRANK', seen, 0, -1)
  end
  if #told > 0 then
    receivers = publish(channel, table.concat(told, ' ') .. ';' .. deputy(told[#told]))
  elseif more or not token and (freed or dropped > 0 and not first) then
    receivers = publish(channel, '0')
  end
  return token, receivers, more
end
