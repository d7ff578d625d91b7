-- Looks at who leads. A record counts only while its token is the lock's.
-- KEYS: lock, leader. ARGV: none.
-- Reply: {token of the lock (0: it has none), time to live of the lock in ms, version of the value, id, value}; without a record
-- that counts, the first two only.
local token = redis.call('HGET', KEYS.lock, 'token')
local record, stranger = read()
if not record then
  return stranger
end
local answer = {tonumber(token or '') or 0, redis.call('PTTL', KEYS.lock)}
if token and record[1] == token then
  answer[3], answer[4], answer[5] = tonumber(record[2]), record[3], record[4]
end
return answer
