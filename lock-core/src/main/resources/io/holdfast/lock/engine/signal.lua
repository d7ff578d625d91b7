-- What the signal scripts share: this text stands before each of them. KEYS: signal; ARGV and the reply are the script's own.
local signal = KEYS[1]

-- The signal's number, 0 if it was never sent. Where the key holds something else, nothing, and the error that says what.
local function read()
  local number = redis.pcall('GET', signal)
  if type(number) == 'table' then
    local kind = redis.pcall('TYPE', signal)
    return nil, {err = 'WRONGTYPE the key holds a ' .. (kind.ok or 'value') .. ' (expected: a signal)'}
  end
  return number and follows(number, signal) or 0
end
