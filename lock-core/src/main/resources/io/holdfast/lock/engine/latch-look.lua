-- Looks at a latch.
-- KEYS: latch, counted. ARGV: none.
-- Reply: {generation, counts left, line}; {0, 0, 0} there is none.
local generation, left = read()
if not generation then
  return left
end
return {generation, left, tonumber(redis.call('HGET', KEYS.latch, 'line') or '') or 0}
