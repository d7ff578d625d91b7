-- What the election scripts share: this text stands before each of them. KEYS, ARGV and the reply are the script's own.

-- The record of who leads: token, version of the value, id and value, each false if there is no record. Where the key holds
-- something else, nothing, and the error that says what.
local function read()
  local record = redis.pcall('HMGET', KEYS.leader, 'token', 'version', 'id', 'value')
  if not record.err then
    if tonumber(record[2] or '') and record[1] and record[3] and record[4] or redis.call('EXISTS', KEYS.leader) == 0 then
      return record
    end
  end
  local key, kind = KEYS.leader, redis.pcall('TYPE', KEYS.leader)
  return nil, {err = 'WRONGTYPE ' .. key .. ' holds a ' .. (kind.ok or 'value') .. ' (expected: the leader of an election)'}
end
