-- Counts a latch down by one: once for each id, and in the generation for which that is meant.
-- KEYS: latch, counted. ARGV: id of the call, generation (0: not known), channel.
-- Reply: {generation, counts left, 1} counted, now or by an earlier copy, or open already; {generation, counts left, 0} the
-- latch is of another generation; {0, 0, 0} there is none.
--
-- With memory full a script may write only if its first write is one that needs no memory. SADD is none; PERSIST is one,
-- and leaves a latch as it is: a closed one never expires.
local generation, left = read()
if not generation then
  return left
end
if generation == 0 or generation ~= tonumber(ARGV[2]) then
  return {generation, left, 0}
end
if left > 0 then
  redis.call('PERSIST', KEYS.latch)
  left = left - redis.call('SADD', KEYS.counted, ARGV[1])
  if left <= 0 then
    redis.call('DEL', KEYS.counted)
    redis.call('HSET', KEYS.latch, 'count', '0')
    redis.call('PEXPIRE', KEYS.latch, 3600000)
    announce(ARGV[3], generation)
  end
end
return {generation, left, 1}
