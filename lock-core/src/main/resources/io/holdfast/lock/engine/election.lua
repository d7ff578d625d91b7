-- What the election scripts share: this text stands before each of them. KEYS: lock, leader; ARGV and the reply are the script's own.
local lock, leader = KEYS[1], KEYS[2]

-- The record of who leads: token, version of the value, id and value, each false if there is no record. Where the key holds
-- something else, nothing, and the error that says what.
local function read()
  local record = redis.pcall('HMGET', leader, 'token', 'version', 'id', 'value')
  if not record.err then
    if tonumber(record[2] or '') and record[1] and record[3] and record[4] or redis.call('EXISTS', leader) == 0 then
      return record
    end
  end
  local kind = redis.pcall('TYPE', leader)
  return nil, {err = 'WRONGTYPE ' .. leader .. ' holds a ' .. (kind.ok or 'value') .. ' (expected: the leader of an election)'}
end
