-- What the scripts of locks over several nodes share: this text stands behind what all scripts share, and before each of them. KEYS,
-- ARGV and the reply are the script's own.

-- The token under which this node grants a lock: the proposed one if it is greater than every earlier token of this node and
-- at most so many microseconds ahead of its time; else one of its own, and the client sees that the nodes differ.
local function accept(proposal, ahead, time)
  local last = tonumber(redis.call('GET', KEYS.clock) or '0')
  local token = proposal
  if proposal <= last or proposal < time or proposal > time + ahead then
    token = math.max(last + 1, time)
  end
  local stored = digits(token)
  redis.call('SET', KEYS.clock, stored)
  return token, stored
end

-- Keeps the token clock from being behind this token.
local function follow(token)
  if token > tonumber(redis.call('GET', KEYS.clock) or '0') then
    redis.call('SET', KEYS.clock, digits(token))
  end
end
