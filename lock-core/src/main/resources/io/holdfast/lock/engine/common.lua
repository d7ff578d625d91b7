-- What the lock scripts share: this text stands before each of them. KEYS, ARGV and the reply are the script's own.

-- Raises the time to live to the lease; never lowers it, and leaves a key without expiry alone.
local function raise(lock, lease)
  local left = redis.call('PTTL', lock)
  if left >= 0 and left < tonumber(lease) then
    redis.call('PEXPIRE', lock, lease)
  end
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

-- A token greater than every earlier one of this clock: the server's time in microseconds, or one more than the last.
-- Returned as a number and as it is stored.
--
-- Redisson's fenced locks count their tokens, each in a key of its own. Where such a counter is there, or is to begin (1),
-- the token is greater than what it says, and is what it says from now on: the next INCR is greater than the token.
local function mint(clock, counter, begin)
  local time = redis.call('TIME')
  local token = time[1] * 1000000 + time[2]
  local counted = counter and redis.call('GET', counter)
  if counted then
    token = math.max(token, follows(counted, counter) + 1)
  end
  local stored = digits(token)
  local last = redis.call('SET', clock, stored, 'GET')
  if last and token <= follows(last, clock) then
    token = tonumber(last) + 1
    stored = digits(token)
    redis.call('SET', clock, stored)
  end
  if counted or begin == '1' then
    redis.call('SET', counter, stored)
  end
  return token, stored
end

-- Makes a field the lock's holder, once, and keeps the token with it where the key scheme has a place for it.
local function enter(lock, field, stored_token, keeps_token)
  if keeps_token == '1' then
    redis.call('HSET', lock, field, '1', 'token', stored_token)
  else
    redis.call('HSET', lock, field, '1')
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
