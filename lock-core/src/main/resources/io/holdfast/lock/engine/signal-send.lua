-- Makes a signal's number greater, and tells those who await it.
-- KEYS: signal. ARGV: channel.
-- Reply: the number.
local number, stranger = read()
if not number then
  return stranger
end
local fresh, stored = mint(signal)
redis.pcall('PUBLISH', ARGV[1], stored)
return fresh
