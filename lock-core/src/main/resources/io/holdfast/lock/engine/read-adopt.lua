-- Makes a node see the token that a reader has over a majority of the nodes, if it still reads here.
-- KEYS: lock, clock, readers. ARGV: field, token.
-- Reply: 1 the token clock has seen the token; 0 the field is gone.
local field, token = ARGV[1], tonumber(ARGV[2])

if redis.call('HEXISTS', KEYS.lock, 'readers') == 0 or not redis.call('ZSCORE', KEYS.readers, field) then
  return 0
end
follow(token)
return 1
