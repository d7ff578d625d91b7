-- Reads what clients say of themselves. What is longer than a client writes stays where it is: others can write there too.
-- KEYS: records. ARGV: the fields to read.
-- Reply: for each record a list of texts, one for each field; an empty one if there is no record.
local longest = 512

local function read(record)
  local texts = {}
  for i, field in ipairs(ARGV) do
    local length = redis.pcall('HSTRLEN', record, field)
    if type(length) ~= 'number' or length > longest then
      return {}
    end
    texts[i] = redis.call('HGET', record, field) or ''
  end
  return texts
end

local records = {}
for i, record in ipairs(KEYS) do
  records[i] = redis.call('EXISTS', record) == 1 and read(record) or {}
end
return records
