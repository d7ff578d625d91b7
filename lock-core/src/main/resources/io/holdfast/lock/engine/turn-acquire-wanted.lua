-- The second part of turn-acquire, with its KEYS, ARGV and reply: the lock is held, or other clients have left word, or tokens are to be put by.
local client = client_of(field)

local function granted(token, how_many)
  if tokens then
    return {1, token, how_many, others(client)}
  end
  return {1, token}
end

-- Whether another owner of the client has the lock: what calls of one client want is for the client to settle.
local function is_own()
  if redis.call('HLEN', KEYS.lock) > 3 then
    return false
  end
  for _, holder in ipairs(redis.call('HKEYS', KEYS.lock)) do
    if client_of(holder) == client then
      return true
    end
  end
  return false
end

local function refuse(left)
  if waits == '0' or is_own() then
    return {0, left}
  end
  local far = waits == '1' and '' or waits
  return {0, look_in(left, #far, leave_word(client, far, channel))}
end

if is_free then
  local first, reserved
  if is_wanted then
    first, reserved = first_in()
    if reserved and reserved > 0 and first and not is_of(client, first) then
      return refuse(reserved)
    end
  end
  local token = take()
  if is_wanted then
    take_back(client)
    if reserved == 0 and first then
      -- It has not come in time: it has lost its place.
      tried(redis.pcall('ZREM', KEYS.turns, first))
    end
    tried(redis.pcall('ZREM', KEYS.turns, 'reserved'))
  end
  return granted(token, tokens and put_by(token, tokens))
end

if redis.call('HEXISTS', KEYS.lock, field) == 1 then
  now_micros()
  raise(lease)
  return granted(tonumber(redis.call('HGET', KEYS.lock, 'token') or mint()), 1)
end

-- One that knows of no reservation was faster: the client for which the lock was reserved keeps its place, unless it had lapsed.
if is_wanted then
  local first, reserved = first_in()
  if reserved == 0 and first and not is_of(client, first) then
    tried(redis.pcall('ZREM', KEYS.turns, first))
  end
  if reserved then
    tried(redis.pcall('ZREM', KEYS.turns, 'reserved'))
  end
end
return refuse(redis.call('PTTL', KEYS.lock))
