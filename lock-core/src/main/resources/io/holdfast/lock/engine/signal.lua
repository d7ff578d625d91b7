-- What the signal scripts share: this text stands before each of them. A signal's number is made as a token is, and the signal
-- is its own clock. KEYS, ARGV and the reply are the script's own.

-- The signal's number, 0 if it was never sent. Where the key holds something else, nothing, and the error that says what.
local function read()
  local number = redis.pcall('GET', KEYS.clock)
  if type(number) == 'table' then
    local kind = redis.pcall('TYPE', KEYS.clock)
    return nil, {err = 'WRONGTYPE the key holds a ' .. (kind.ok or 'value') .. ' (expected: a signal)'}
  end
  return number and follows(number, KEYS.clock) or 0
end
