-- Tells whoever waits that a lock was freed, where the script that freed it told at another node: the slot is being moved. Sent as
-- the command itself where the transport can.
-- KEYS: none. ARGV: channel, message.
-- Reply: receivers of the message.
return redis.call('PUBLISH', ARGV[1], ARGV[2])
