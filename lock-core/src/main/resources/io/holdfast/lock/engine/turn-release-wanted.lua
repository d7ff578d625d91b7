-- The second part of turn-release, with its KEYS, ARGV and reply: the lock is free, and other clients have left word, or this one is to leave it.

-- Reserves the lock, which is free now. Returns the client that is next; nil if there is none.
local function reserve()
  local client, now = client_of(field), now_micros()
  if not gives_way then
    take_back(turns, client)
  elseif not tried('ZSCORE', turns, client .. '*') and tried('ZADD', turns, 'NX', digits(now), client) == 1 then
    redis.call('PEXPIRE', turns, word_lasts)
  end
  local first = first_in(turns)
  if not first or redis.call('EXISTS', queue) == 1 then
    return nil
  end
  local lasts = string.sub(first, -1) == '*' and long_grace or grace
  if not tried('ZADD', turns, digits(-(math.floor(now / 1000) + lasts)), 'reserved') then
    return nil
  end
  if again then
    tried('ZADD', turns, digits(now), client)
    redis.call('PEXPIRE', turns, word_lasts)
  end
  return (string.gsub(first, '%*$', ''))
end

local next_client = reserve()
if next_client then
  return {2, tell_next(channel, next_client)}
end
return {1, tell(channel)}
