-- Takes a lock at one of several nodes, under a proposed token that all of them can take, if it is free there and not reserved for
-- another client.
-- KEYS: lock, clock, turns. ARGV: field, lease in ms, whether the lock keeps its token (1 or 0), the proposed token, how
-- many microseconds ahead of this node's clock it may be, since when the call waits in microseconds (0: not known here; -1: it leaves no
-- word), and 1, or as many * as its client's word has.
-- Reply: {1, token, time in us} granted; {0, in how many ms to look again: the time to live, or until a reservation ends, time in us,
-- the holder's field or 'readers', or '<client>:next' for which client it is reserved} refused.
--
-- The order of the clients is that of their calls, which they say themselves: so it is the same at all nodes, and all that hear of
-- the same clients reserve the lock for the same one.
--
-- While anybody reads, the hash is there and lives as long as the last reader: no reader need be looked at.
local field, lease, keeps_token = ARGV[1], ARGV[2], ARGV[3]
local proposal, ahead = tonumber(ARGV[4]), tonumber(ARGV[5])
local since, far = tonumber(ARGV[6]), ARGV[7] == '1' and '' or ARGV[7]
local client = client_of(field)
local now = now_micros()

local function refuse(left, holder, ahead_of_it)
  if since >= 0 then
    -- What is reserved already stays so, though the call of the other client may wait for longer.
    local score = math.max(since == 0 and now or since, ahead_of_it and (tried(redis.pcall('ZSCORE', KEYS.turns, ahead_of_it)) or 0) + 1 or 0)
    take_back(client)
    if tried(redis.pcall('ZADD', KEYS.turns, digits(score), client .. far)) then
      redis.call('PEXPIRE', KEYS.turns, word_lasts)
    end
    left = look_in(left, #far, score)
  end
  return {0, left, now, holder}
end

local first, reserved
if redis.call('EXISTS', KEYS.turns) == 1 then
  first, reserved = first_in()
end
local is_for_it = first and is_of(client, first)

if redis.call('EXISTS', KEYS.lock) == 0 then
  if reserved and reserved > 0 and first and not is_for_it then
    return refuse(reserved, client_in(first) .. ':next', first)
  end
  local token, stored = accept(proposal, ahead, now)
  enter(field, stored, keeps_token)
  redis.call('PEXPIRE', KEYS.lock, lease)
  if reserved == 0 and first and not is_for_it then
    -- It has not come in time: it has lost its place.
    tried(redis.pcall('ZREM', KEYS.turns, first))
  end
  if reserved then
    tried(redis.pcall('ZREM', KEYS.turns, 'reserved'))
  end
  return {1, token, now}
end

if redis.call('HEXISTS', KEYS.lock, field) == 1 then
  raise(lease)
  return {1, tonumber(redis.call('HGET', KEYS.lock, 'token') or redis.call('GET', KEYS.clock) or now), now}
end

-- One that knows of no reservation was faster.
if reserved == 0 and first and not is_for_it then
  tried(redis.pcall('ZREM', KEYS.turns, first))
end
if reserved then
  tried(redis.pcall('ZREM', KEYS.turns, 'reserved'))
end
local holder = ''
for _, name in ipairs(redis.call('HKEYS', KEYS.lock)) do
  if name ~= 'token' then
    holder = name
  end
end
return refuse(redis.call('PTTL', KEYS.lock), holder)
