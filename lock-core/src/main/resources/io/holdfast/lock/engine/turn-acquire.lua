-- Takes a lock that is free, and not reserved for another client; answers a repeated request of the same field as it answered the
-- first.
-- KEYS: lock, clock, turns, queue (with tokens). ARGV: field, lease in ms, whether the lock keeps its token (1 or 0), whether the call waits (0 for
-- not, 1, or as many * as its client's word has), channel, and how many tokens are
-- put by with which the client may hand the lock on among its own calls, if any.
-- Reply: {1, token} granted, with tokens as turn-transfer; {0, in how many ms to look again: the time to live, or until a reservation ends} refused.
--
-- Where the lock is free and no client has left word, as it mostly is, nothing is needed of what turns need: that and the rest follow.
local field, lease, keeps_token, waits, channel = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local tokens = tonumber(ARGV[6])

local function take()
  local token, stored = mint()
  enter(field, stored, keeps_token)
  redis.call('PEXPIRE', KEYS.lock, lease)
  return token
end

local is_free, is_wanted = redis.call('EXISTS', KEYS.lock) == 0, redis.call('EXISTS', KEYS.turns) == 1
if is_free and not is_wanted and not tokens then
  return {1, take()}
end
