-- Makes a signal's number greater, and tells those who await it.
-- KEYS: clock. ARGV: channel.
-- Reply: the number.
local number, stranger = read()
if not number then
  return stranger
end
local fresh, stored = mint()
redis.pcall('PUBLISH', ARGV[1], stored)
return fresh
