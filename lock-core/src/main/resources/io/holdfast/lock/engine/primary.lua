-- What the guarded scripts and `term` share: this text stands before what is the guard's own in them. KEYS, ARGV and the
-- reply are the script's.

-- The server's replication id, which is another after each promotion and each restart; or nothing, and why.
local function replication_id()
  local info = redis.pcall('INFO', 'replication')
  if type(info) ~= 'string' then
    return nil, info.err
  end
  local id = string.match(info, 'master_replid:(%x+)')
  return id, 'its answer has no master_replid'
end
