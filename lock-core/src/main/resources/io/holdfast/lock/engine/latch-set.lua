-- Sets the count of a latch that is open, or of none.
-- KEYS: latch, counted, clock. ARGV: id of the call, count, the generation that is to be followed (0: there
-- is no latch).
-- Reply: {generation, counts left, 1} this call has set it, now or by an earlier copy; {generation, counts left, 0} the
-- latch is closed, or of another generation.
local generation, left = read()
if not generation then
  return left
end
if generation > 0 and redis.call('HGET', KEYS.latch, 'by') == ARGV[1] then
  return {generation, left, 1}
end
if left > 0 or generation ~= tonumber(ARGV[3]) then
  return {generation, left, 0}
end

local fresh, stored = mint()
local line = generation > 0 and redis.call('HGET', KEYS.latch, 'line') or stored
redis.call('DEL', KEYS.counted)
redis.call('HSET', KEYS.latch, 'generation', stored, 'count', ARGV[2], 'line', line, 'by', ARGV[1])
redis.call('PERSIST', KEYS.latch)
return {fresh, tonumber(ARGV[2]), 1}
