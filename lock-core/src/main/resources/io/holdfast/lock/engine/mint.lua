-- Gives a token for a lock that was taken without one.
-- KEYS: token clock. ARGV: none.
-- Reply: the token.
return (mint(KEYS[1]))
