-- Reads a signal's number.
-- KEYS: clock. ARGV: none.
-- Reply: the number; 0 if it was never sent.
local number, stranger = read()
return number or stranger
