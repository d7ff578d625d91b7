-- Writes down what a client says of itself, or takes that away. A key that holds anything else is left alone.
-- KEYS: record. ARGV: time to live in ms, then fields and values; 0 and no more: the record goes.
-- Reply: 1 done; 0 the key is not a record.
local lives = ARGV[1]
local own = redis.pcall('HEXISTS', KEYS.record, 'since')
if type(own) == 'table' then
  return string.find(own.err, 'WRONGTYPE', 1, true) and 0 or own
end
if own == 0 and redis.call('EXISTS', KEYS.record) == 1 then
  return 0
end
if lives == '0' then
  redis.call('DEL', KEYS.record)
else
  redis.call('HSET', KEYS.record, unpack(ARGV, 2))
  redis.call('PEXPIRE', KEYS.record, lives)
end
return 1
