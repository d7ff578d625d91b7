-- Marks a node, so that a restart that forgets can be told from one that does not.
-- KEYS: marker. ARGV: none.
-- Reply: 1.
redis.call('SET', KEYS[1], '1')
return 1
