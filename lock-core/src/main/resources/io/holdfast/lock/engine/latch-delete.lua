-- Deletes a latch of the generation that is meant, and tells those who await it.
-- KEYS: latch, counted. ARGV: generation (0: not known), channel.
-- Reply: {generation, counts left, 1} deleted; {generation, counts left, 0} the latch is of another generation; {0, 0, 0}
-- there is none.
local generation, left = read()
if not generation then
  return left
end
if generation == 0 or generation ~= tonumber(ARGV[1]) then
  return {generation, left, 0}
end
redis.call('DEL', KEYS.counted)
redis.call('DEL', KEYS.latch)
announce(ARGV[2], 0)
return {generation, left, 1}
