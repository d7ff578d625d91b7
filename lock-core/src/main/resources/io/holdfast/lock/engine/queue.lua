-- What the scripts of queued locks share: this text stands behind what all scripts share, and before each of them.
-- KEYS of all: lock, token clock, readers, queue, seen; ARGV and the reply are the script's own.
--
-- The lock is one hash for plain, fair, read and write locks. A writer is a field of it, with a token; while anybody reads
-- it has the field `readers`. Each reader is in the set of readers, with a deadline of its own. The queue has the waiters:
-- `w` or `r` and the field, in the order of their places. While there are any, `seen` says until when each client counts as
-- present.
--
-- Numbers that are only passed on stay text: to write a number as text takes as long as a call.
--
-- A step reads the hash once, with `look`. From then on `written` and `reading` say what is in it, and are kept in step.
local lock, clock, readers, queue, seen = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local most_admitted, most_dropped, deputies_at_once = 64, 500, 16

-- The token of a writer, and the field `readers`; false if the hash has none.
local written, reading
-- Whether the last reader, or the writer, has gone in this step; and whether the queue has become shorter.
local freed, shortened = false, false

-- The server's time in ms, the same for the whole step. A step that needs none does not ask.
local asked
local function now()
  if not asked then
    local time = redis.call('TIME')
    asked = time[1] * 1000 + math.floor(time[2] / 1000)
  end
  return asked
end

local function client(field)
  return string.match(field, '^[^:]*')
end

local known = {}
local function alive(field)
  local id = client(field)
  if known[id] == nil then
    local until_ms = redis.call('ZSCORE', seen, id)
    known[id] = until_ms and tonumber(until_ms) > now() or false
  end
  return known[id]
end

-- Brings the lock in line with its readers: it lives as long as the last of them, and with a writer at least so long.
-- The expiry comes first: it is a write that is allowed with memory full, and it makes the others allowed.
local function seal()
  local last = redis.call('ZRANGE', readers, '-1', '-1', 'WITHSCORES')[2]
  if not last then
    freed = redis.call('HDEL', lock, 'readers') == 1 or freed
    reading = false
    return
  end
  redis.call('PEXPIREAT', readers, last)
  if not written or redis.call('PTTL', lock) < last - now() then
    redis.call('PEXPIREAT', lock, last)
  end
end

-- Reads the hash, and drops readers whose time is over. A hash without the field `readers` was removed by force, and its
-- readers with it; something else that is in their place stays, and is told of by the error. Where there is nothing to drop
-- nothing is written: after a write the server would allow any other with memory full. Returns what the hash has under this
-- field.
local function look(field)
  local found = redis.call('HMGET', lock, 'token', 'readers', field)
  written, reading = found[1], found[2]
  if not reading then
    if redis.call('ZCARD', readers) > 0 then
      redis.call('DEL', readers)
    end
  elseif redis.call('ZCOUNT', readers, '-inf', now()) > 0 then
    redis.call('ZREMRANGEBYSCORE', readers, '-inf', now())
    seal()
  end
  return found[3]
end

local function fits(mode)
  return not written and (mode == 'r' or not reading)
end

-- Lets a writer in, which fits. Returns its token.
local function write(field, lease)
  local token, stored = mint(clock)
  enter(lock, field, stored, '1')
  redis.call('PEXPIRE', lock, lease)
  written = stored
  return token
end

-- Lets a reader in, which fits or writes; the lock is to be sealed afterwards.
local function read(field, lease)
  if not reading then
    reading = '1'
    redis.call('HSET', lock, 'readers', reading)
  end
  redis.call('ZADD', readers, now() + lease, field)
end

-- Lets in who asks, which fits or, as a reader, writes. Returns its token; a reader that is admitted by another step gets its
-- own when it claims what is reserved.
local function take(mode, field, lease)
  if mode == 'w' then
    return write(field, lease)
  end
  local token = mint(clock)
  read(field, lease)
  seal()
  return token
end

-- Raises the deadline of a reader; never lowers it. The expiry comes first: it is a write that is allowed with memory full.
local function lengthen(field, lease)
  redis.call('PEXPIREAT', readers, now() + lease)
  redis.call('ZADD', readers, 'GT', now() + lease, field)
  seal()
end

-- A key of another type in the queue's place must not keep a lock from being released, hence pcall here and in what admits.
local function unqueue(member)
  shortened = redis.pcall('ZREM', queue, member) == 1 or shortened
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
-- told; whether more may be admitted at once; and the first that is left.
local function admit(channel, window, asker, lease)
  local told, shown, dropped, token = {}, {}, 0, nil
  local first = redis.pcall('ZRANGE', queue, '0', '0')[1]
  while first and #told < most_admitted and dropped < most_dropped do
    local mode, field = string.sub(first, 1, 1), string.sub(first, 2)
    if not alive(field) then
      unqueue(first)
      dropped = dropped + 1
    elseif not fits(mode) then
      break
    else
      unqueue(first)
      if first == asker then
        token = take(mode, field, lease)
      else
        if mode == 'w' then
          write(field, window)
        else
          read(field, window)
        end
        told[#told + 1] = field
        if not shown[client(field)] then
          shown[client(field)] = true
          redis.call('ZADD', seen, 'XX', 'LT', now() + window, client(field))
        end
      end
    end
    first = redis.call('ZRANGE', queue, '0', '0')[1]
  end
  local more = first and (#told == most_admitted or dropped == most_dropped)
  local receivers = 0
  if shortened and not first and type(redis.pcall('ZCARD', seen)) == 'number' then
    redis.call('DEL', seen)
  end
  if #told > 0 then
    if reading then
      seal()
    end
    receivers = publish(channel, table.concat(told, ' ') .. ';' .. deputy(told[#told]))
  elseif more or not token and (freed or dropped > 0 and not first) then
    receivers = publish(channel, '0')
  end
  return token, receivers, more, first
end
