-- Takes the word of a client back of which no call waits any more. If the lock is reserved for it, the next client has its turn.
-- KEYS: lock, turns, queue. ARGV: the client's id and ':', channel. Reply: 1.
local lock, turns, queue = KEYS[1], KEYS[2], KEYS[3]
local client, channel = client_of(ARGV[1]), ARGV[2]

local first, reserved = first_in(turns)
take_back(turns, client)
if not reserved or not first or not is_of(client, first) then
  return 1
end
tried('ZREM', turns, 'reserved')
if redis.call('EXISTS', lock) == 0 then
  local next_client = reserve(turns, queue)
  if next_client then
    tell_next(channel, next_client)
  else
    tell(channel)
  end
end
return 1
