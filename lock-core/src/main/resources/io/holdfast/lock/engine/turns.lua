-- What the scripts of locks share whose clients take turns (rule 114): this text stands before each of them. KEYS, ARGV and the
-- reply are the script's own.
--
-- The sorted set of turns holds word of the clients that want the lock, by when they left it; behind the id of one that may take
-- long to come when it is called stands '*'. Its member 'reserved' says that the lock, which is free, is reserved for the first of them: its score is minus
-- the time in ms at which that ends, so it stands before all others. A reservation is no holder, and no other script knows of it.
--
-- Turns are a courtesy: where the set can't be read or written, for want of rights or memory, there are none.

-- For how long word stays, and a lock is reserved for a client, or for one that looks from time to time, in ms.
local word_lasts, grace, long_grace = 12000, 10, 60

-- A reservation that ends later than that was made by a clock that was ahead, and has ended.
local longest_left = 10000

-- Tokens that are put by may run ahead of the time for so long, in microseconds.
local farthest = 1000000

-- The client of a field.
local function client_of(field)
  return string.match(field, '^[^:]*')
end

local function now_micros()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

local function tried(...)
  local reply = redis.pcall(...)
  if type(reply) == 'table' and reply.err then
    return nil
  end
  return reply
end

-- The client that left word first, and in how many ms the reservation for it ends: 0 if it has ended, nil if there is none.
local function first_in(turns)
  local first = tried('ZRANGE', turns, 0, 1, 'WITHSCORES') or {}
  if first[1] ~= 'reserved' then
    return first[1]
  end
  local left = math.max(0, math.ceil(-tonumber(first[2]) - now_micros() / 1000))
  return first[3], left <= longest_left and left or 0
end

local function is_of(client, word)
  return word == client or word == client .. '*'
end

-- Leaves word of a client that waits, unless it is there. Returns since when it is there, in microseconds; nil if it is not.
local function leave_word(turns, client, slow, channel)
  local as, otherwise = client .. (slow and '*' or ''), client .. (slow and '' or '*')
  local before = tried('ZSCORE', turns, otherwise)
  local since = before or digits(now_micros())
  local added = tried('ZADD', turns, 'NX', since, as)
  if not added then
    return nil
  end
  redis.call('PEXPIRE', turns, word_lasts)
  if before then
    tried('ZREM', turns, otherwise)
  elseif added == 1 then
    redis.pcall('PUBLISH', channel, 'wanted')
  else
    since = tried('ZSCORE', turns, as)
  end
  return tonumber(since)
end

-- Tells all that wait whose turn is next; tell() says that the lock is free for all of them.
local function tell_next(channel, client)
  local receivers = redis.pcall('PUBLISH', channel, 'next ' .. client)
  return type(receivers) == 'number' and receivers or -1
end

-- Puts so many tokens by from this one on, which was minted just now. Returns how many: one where the clock is far ahead of the time.
local function put_by(clock, token, tokens)
  if tokens == 1 or token - now_micros() > farthest then
    return 1
  end
  redis.call('SET', clock, digits(token + tokens - 1))
  return tokens
end

-- Takes the word of a client back.
local function take_back(turns, client)
  tried('ZREM', turns, client, client .. '*')
end

-- Who else wants a lock that an owner of the client has: 0 no client is known to, 1 another client, 2 a call in the server's queue.
local function others(turns, queue, client)
  if redis.call('EXISTS', queue) == 1 then
    return 2
  end
  if redis.call('EXISTS', turns) == 0 then
    return 0
  end
  take_back(turns, client)
  tried('ZREM', turns, 'reserved')
  return redis.call('EXISTS', turns)
end
