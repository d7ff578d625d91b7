-- Shared by all lock scripts, and put before each of them. KEYS, ARGV and the reply are the script's own.

-- Raises the time to live to the lease; never lowers it, and leaves a key without expiry alone.
local function raise(lease)
  local left = redis.call('PTTL', KEYS.lock)
  if left >= 0 and left < tonumber(lease) then
    redis.call('PEXPIRE', KEYS.lock, lease)
  end
end

-- The server's time in microseconds, the same for the whole step. A step that needs none does not ask, and one that does asks before
-- its first write: a server that refuses TIME in scripts must not leave half of a step.
local micros
local function now_micros()
  if not micros then
    local time = redis.call('TIME')
    micros = time[1] * 1000000 + time[2]
  end
  return micros
end

-- A token as it is stored. Lua prints large numbers as 1.7e+15, hence the format.
local function digits(token)
  return string.format('%.0f', token)
end

-- The largest number to which one can be added and nothing else: from here on Lua's numbers have gaps.
local last_token = 9007199254740991

-- The token that a key holds. What is written there by hand may be none that another one can follow.
local function follows(token, key)
  local number = tonumber(token)
  if not (number and number < last_token) then
    error(key .. ' holds no token below 2^53')
  end
  return number
end

-- The last token of Redisson's fenced lock, which counts in a key of its own; false if there is no such counter.
local function counted()
  local token = redis.call('GET', KEYS.counter)
  return token and follows(token, KEYS.counter)
end

local function count(stored_token)
  redis.call('SET', KEYS.counter, stored_token)
end

-- A token greater than every earlier one of this clock: the server's time in microseconds, or one more than the last.
-- Returned as a number and as it is stored.
--
-- Where Redisson's counter is there, or is to begin (1), the token is greater than what it says, and is what it says from now on:
-- the next INCR is greater than the token.
local function mint(begin)
  local token = now_micros()
  local last_counted = begin and counted()
  if last_counted then
    token = math.max(token, last_counted + 1)
  end
  local stored = digits(token)
  local last = redis.call('SET', KEYS.clock, stored, 'GET')
  if last and token <= follows(last, KEYS.clock) then
    token = tonumber(last) + 1
    stored = digits(token)
    redis.call('SET', KEYS.clock, stored)
  end
  if last_counted or begin == '1' then
    count(stored)
  end
  return token, stored
end

-- Makes a field the lock's holder, once, and keeps the token with it where the key scheme has a place for it.
local function enter(field, stored_token, keeps_token)
  if keeps_token == '1' then
    redis.call('HSET', KEYS.lock, field, '1', 'token', stored_token)
  else
    redis.call('HSET', KEYS.lock, field, '1')
  end
end

-- Until when a hold lasts that has a deadline of its own, in ms: an even number, where a reservation has an odd one (rule 130).
local function held_until(deadline)
  return deadline + deadline % 2
end

-- Tells whoever waits. A user who may not publish still releases; the waiters then find out by polling.
local function tell(channel)
  local receivers = redis.pcall('PUBLISH', channel, '0')
  return type(receivers) == 'number' and receivers or -1
end
