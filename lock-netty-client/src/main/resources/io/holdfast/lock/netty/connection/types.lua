-- Says what the keys of a call are that has met one of a wrong type.
-- KEYS: those of the call; ARGV: its arguments, which do not matter here.
-- Reply: a sentence about those that are there, empty if there are none.
local types = {}
for _, key in ipairs(KEYS) do
  local type = redis.pcall('TYPE', key).ok or 'none'
  if type ~= 'none' then
    types[#types + 1] = key .. ' is a ' .. type
  end
end
return table.concat(types, ', ')
