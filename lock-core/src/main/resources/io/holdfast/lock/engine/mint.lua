-- Gives a token for a lock that was taken without one.
-- KEYS: clock. ARGV: none.
-- Reply: the token.
return (mint())
