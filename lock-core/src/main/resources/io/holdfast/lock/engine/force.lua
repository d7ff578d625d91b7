-- Frees a lock whoever holds it, and tells whoever waits.
-- KEYS: lock. ARGV: channel.
-- Reply: 1 freed; 0 nobody held it.
if redis.call('HLEN', KEYS.lock) == 0 then
  return 0
end
redis.call('DEL', KEYS.lock)
tell(ARGV[1])
return 1
