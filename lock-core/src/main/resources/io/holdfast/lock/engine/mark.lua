-- Marks a node with the run that first counts there, so that a later run can be told whether it remembers.
-- KEYS: marker. ARGV: run id.
-- Reply: the marker that is there, which an earlier run may have been given.
redis.call('SET', KEYS.marker, ARGV[1], 'NX')
return redis.call('GET', KEYS.marker)
