-- Reads a node's marker.
-- KEYS: marker. ARGV: none.
-- Reply: the run that was the first to be marked; nothing if there is no marker.
return redis.call('GET', KEYS.marker)
