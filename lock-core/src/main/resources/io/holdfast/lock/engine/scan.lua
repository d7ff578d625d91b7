-- Names a page of the keys that the server has. Sent as the command itself where the transport can.
-- KEYS: none. ARGV: what SCAN takes: cursor, 'MATCH', pattern, 'COUNT', how many keys to look at, 'TYPE', 'hash'.
-- Reply: {next cursor (0: that was all), {key, ...}}.
return redis.call('SCAN', unpack(ARGV))
