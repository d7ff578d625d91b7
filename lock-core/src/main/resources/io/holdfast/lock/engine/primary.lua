-- What the guarded scripts and `term` share: this text stands before what is the guard's own in them. KEYS, ARGV and the
-- reply are the script's.

-- The server's replication id, which is another after each promotion and each restart; or nothing, and the reply that says
-- why: {-2, words} INFO is refused, {-3} its answer has none.
local function replication_id()
  local info = redis.pcall('INFO', 'replication')
  if type(info) ~= 'string' then
    return nil, {-2, info.err}
  end
  return string.match(info, 'master_replid:(%x+)'), {-3}
end
