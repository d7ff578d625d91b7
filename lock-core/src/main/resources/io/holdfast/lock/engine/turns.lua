-- What the scripts of locks share whose clients take turns (rule 114): this text stands before each of them. KEYS, ARGV and the
-- reply are the script's own.
--
-- The sorted set of turns holds word of the clients that want the lock, by when they left it. Behind the id of a client that may take long
-- to come when it is called stands '*', once for each doubling of that time. Its member 'reserved' says that the lock, which is free, is
-- reserved for the first of them: its score is minus the time in ms at which that ends, so it stands before all others. A reservation is
-- no holder, and no other script knows of it.
--
-- Turns are a courtesy: where the set can't be read or written, for want of rights or memory, there are none.

-- For how long word stays, and a lock is reserved for a client nearby, in ms.
local word_lasts, grace = 12000, 10

-- More '*' than that count as so many.
local farthest_away = 6

-- A release looks for the next client among so many of the first.
local most_looked_at = 32

-- A reservation that ends later than that was made by a clock that was ahead, and has ended.
local longest_left = 10000

-- Tokens that are put by may run ahead of the time for so long, in microseconds.
local farthest = 1000000

-- The client of a field.
local function client_of(field)
  return string.match(field, '^[^:]*')
end

-- An answer; nil if it is an error.
local function tried(reply)
  if type(reply) == 'table' and reply.err then
    return nil
  end
  return reply
end

-- The client that left word first, and in how many ms the reservation for it ends: 0 if it has ended, nil if there is none.
local function first_in()
  local first = tried(redis.pcall('ZRANGE', KEYS.turns, 0, 1, 'WITHSCORES')) or {}
  if first[1] ~= 'reserved' then
    return first[1]
  end
  local left = math.max(0, math.ceil(-tonumber(first[2]) - now_micros() / 1000))
  return first[3], left <= longest_left and left or 0
end

-- The client of a word, and how far away it is.
local function client_in(word)
  local client, far = string.match(word, '^(.-)(%**)$')
  return client, math.min(#far, farthest_away)
end

local function is_of(client, word)
  return client == client_in(word)
end

-- For how long a lock is reserved for a client, in ms: a message, its request and a quarter of both, with some time for a pause.
local function grace_for(far)
  return far == 0 and grace or 40 + 10 * 2 ^ far
end

-- For how long its word is passed over, in ms: two round trips, which is what its turn costs the others.
local function passed_for(far)
  return far == 0 and 0 or 16 * 2 ^ far
end

-- In how many ms a refused call is to look. A client that may take long to come looks often until it could have been called: it may be one
-- that no message reaches.
local function look_in(left, far, since)
  if far > 0 and since and now_micros() - since < 1000 * (100 + 2 * passed_for(far)) then
    return left < 0 and 40 or math.min(left, 40)
  end
  return left
end

-- All words that there may be of a client.
local function words_of(client)
  return client, client .. '*', client .. '**', client .. '***', client .. '****', client .. '*****', client .. '******'
end

-- Leaves word of a client that waits, unless it is there. Returns since when it is there, in microseconds; nil if it is not.
local function leave_word(client, far, channel)
  local as = client .. far
  if far ~= '' then
    now_micros()
  end
  local since = tried(redis.pcall('ZSCORE', KEYS.turns, as))
  if not since then
    local before
    for _, word in ipairs({words_of(client)}) do
      since = tried(redis.pcall('ZSCORE', KEYS.turns, word))
      if since then
        before = word
        break
      end
    end
    since = since or digits(now_micros())
    if not tried(redis.pcall('ZADD', KEYS.turns, since, as)) then
      return nil
    end
    if before then
      tried(redis.pcall('ZREM', KEYS.turns, before))
    elseif far == '' then
      redis.pcall('PUBLISH', channel, 'wanted')
    end
  end
  redis.call('PEXPIRE', KEYS.turns, word_lasts)
  return tonumber(since)
end

-- Tells all that wait whose turn is next; tell() says that the lock is free for all of them.
local function tell_next(channel, client)
  local receivers = redis.pcall('PUBLISH', channel, 'next ' .. client)
  return type(receivers) == 'number' and receivers or -1
end

-- Puts so many tokens by from this one on, which was minted just now. Returns how many: one where the clock is far ahead of the time.
local function put_by(token, tokens)
  if tokens == 1 or token - now_micros() > farthest then
    return 1
  end
  redis.call('SET', KEYS.clock, digits(token + tokens - 1))
  return tokens
end

-- Takes the word of a client back.
local function take_back(client)
  tried(redis.pcall('ZREM', KEYS.turns, words_of(client)))
end

-- The word of the client whose turn is next, and how many stand before it: the first that is not to be passed over any more. Nil if there is none.
local function next_in()
  local now = now_micros()
  for place = 0, most_looked_at - 1 do
    local word = tried(redis.pcall('ZRANGE', KEYS.turns, place, place, 'WITHSCORES')) or {}
    if not word[1] then
      return nil
    end
    local _, far = client_in(word[1])
    local age = now - tonumber(word[2])
    if word[1] ~= 'reserved' and (age >= 1000 * passed_for(far) or age < 0) then
      return word[1], place
    end
  end
end

-- Reserves the lock, which is free now. Returns the client that is next; nil if there is none, or the name's queue goes before it.
local function reserve()
  local word, before = next_in()
  if not word or redis.call('EXISTS', KEYS.queue) == 1 then
    return nil
  end
  local client, far = client_in(word)
  if before > 0 then
    tried(redis.pcall('ZREM', KEYS.turns, 'reserved'))
    tried(redis.pcall('ZADD', KEYS.turns, digits(tried(redis.pcall('ZRANGE', KEYS.turns, 0, 0, 'WITHSCORES'))[2] - 1), word))
  end
  if not tried(redis.pcall('ZADD', KEYS.turns, digits(-(math.floor(now_micros() / 1000) + grace_for(far))), 'reserved')) then
    return nil
  end
  return client
end

-- Who else wants a lock that an owner of the client has: 0 no client is known to whose turn could be next, 1 another client, 2 a call in the
-- server's queue.
local function others(client)
  if redis.call('EXISTS', KEYS.queue) == 1 then
    return 2
  end
  if redis.call('EXISTS', KEYS.turns) == 0 then
    return 0
  end
  take_back(client)
  tried(redis.pcall('ZREM', KEYS.turns, 'reserved'))
  return next_in() and 1 or 0
end
