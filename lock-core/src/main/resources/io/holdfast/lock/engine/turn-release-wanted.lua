-- The second part of turn-release, with its KEYS, ARGV and reply: the lock is free, and other clients have left word, or this one is to leave it.
local client, now = client_of(field), digits(now_micros())
local word = client .. string.match(waits, '%**$')
if not gives_way then
  take_back(client)
else
  local has_word
  for _, known in ipairs({words_of(client)}) do
    has_word = has_word or tried(redis.pcall('ZSCORE', KEYS.turns, known))
  end
  if not has_word and tried(redis.pcall('ZADD', KEYS.turns, now, word)) then
    redis.call('PEXPIRE', KEYS.turns, word_lasts)
  end
end

local next_client = reserve()
if not next_client then
  return {1, tell(channel)}
end
if waits ~= '0' and not gives_way then
  tried(redis.pcall('ZADD', KEYS.turns, now, word))
  redis.call('PEXPIRE', KEYS.turns, word_lasts)
end
return {2, tell_next(channel, next_client)}
