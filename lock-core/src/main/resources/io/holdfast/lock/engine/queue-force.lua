-- Ends what is held of a queued lock, by the writer or by all readers, and admits who comes next.
-- KEYS: lock, clock, readers, queue, seen. ARGV: mode (w or r), claim window in ms, channel.
-- Reply: 1 freed; 0 nobody held it so.
local mode, window, channel = ARGV[1], ARGV[2], ARGV[3]

look('')
local held = 0
if mode == 'r' then
  if reading then
    held = redis.call('DEL', KEYS.readers)
    seal()
  end
else
  for _, field in ipairs(redis.call('HKEYS', KEYS.lock)) do
    if field ~= 'readers' then
      held = redis.call('HDEL', KEYS.lock, field)
      written, freed = false, true
    end
  end
  if held == 1 and reading then
    seal()
  end
end
admit(channel, window, '', '0')
return held
