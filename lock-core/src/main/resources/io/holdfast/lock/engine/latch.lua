-- What the latch scripts share: this text stands before each of them. KEYS, ARGV and the reply are the script's own. The key
-- `counted` has those who counted.

-- The latch's generation and how many counts it still waits for: 0 and 0 if there is none. Where the key holds something
-- else, nothing, and the error that says what.
local function read()
  local generation = redis.pcall('HGET', KEYS.latch, 'generation')
  if type(generation) == 'string' then
    local number, count = tonumber(generation), tonumber(redis.call('HGET', KEYS.latch, 'count') or '')
    if number and count then
      return number, count > 0 and count - redis.call('SCARD', KEYS.counted) or 0
    end
  elseif not generation and redis.call('EXISTS', KEYS.latch) == 0 then
    return 0, 0
  end
  local kind = redis.pcall('TYPE', KEYS.latch)
  return nil, {err = 'WRONGTYPE the key holds a ' .. (kind.ok or 'value') .. ' (expected: a count-down latch)'}
end

-- Tells those who await the latch. They find out by polling if the user may not publish.
local function announce(channel, generation)
  redis.pcall('PUBLISH', channel, digits(generation))
end
