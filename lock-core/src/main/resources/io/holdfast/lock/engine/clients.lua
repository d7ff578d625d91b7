-- Reads what clients say of themselves. What is longer than a client writes stays where it is: others can write there too.
-- KEYS: record; for each in turn. ARGV: the fields to read.
-- Reply: for each record a list of texts, one for each field; an empty one if there is no record.
local longest = 512
local records = {}

-- FOR EACH
if #KEYS < EACH then
  return records
end
local texts = {}
if redis.call('EXISTS', KEYS.record) == 1 then
  for i, field in ipairs(ARGV) do
    local length = redis.pcall('HSTRLEN', KEYS.record, field)
    if type(length) ~= 'number' or length > longest then
      texts = {}
      break
    end
    texts[i] = redis.call('HGET', KEYS.record, field) or ''
  end
end
records[EACH] = texts
-- END
return records
