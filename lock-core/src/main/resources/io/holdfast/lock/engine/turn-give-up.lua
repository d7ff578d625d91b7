-- Takes the word of a client back of which no call waits any more. If the lock is reserved for it, the next client has its turn.
-- KEYS: lock, turns, queue. ARGV: the client's id and ':', channel. Reply: 1.
local client, channel = client_of(ARGV[1]), ARGV[2]

local first, reserved = first_in()
take_back(client)
if not reserved or not first or not is_of(client, first) then
  return 1
end
tried(redis.pcall('ZREM', KEYS.turns, 'reserved'))
if redis.call('EXISTS', KEYS.lock) == 0 then
  local next_client = reserve()
  if next_client then
    tell_next(channel, next_client)
  else
    tell(channel)
  end
end
return 1
