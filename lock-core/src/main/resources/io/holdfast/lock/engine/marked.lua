-- Whether a node still has its marker.
-- KEYS: marker. ARGV: none.
-- Reply: 1 it has; 0 it has lost its data.
return redis.call('EXISTS', KEYS[1])
