-- Tells whoever waits that a lock was freed, where the script that freed it told at another node: the slot is being moved.
-- KEYS: none. ARGV: channel.
-- Reply: receivers of the message; -1: not allowed to publish.
return tell(ARGV[1])
