-- Says which commands the user of this connection may run. Where the server can tell (from 7.0 on), none of them is run.
-- KEYS: keys that are not in use. ARGV: a channel that is not in use, then commands, in which KEY stands for the first key, and
-- CHANNEL for the channel.
-- Reply: for each command 1 if the user may run it, 0 if not, -1 if there is no such command, -2 if that can't be told.
local function words(command)
  local all = {}
  for word in string.gmatch(command, '%S+') do
    all[#all + 1] = word == 'KEY' and KEYS[1] or word == 'CHANNEL' and ARGV[1] or word
  end
  return all
end

-- The commands change nothing where there is no such key, but for HSET and SADD, which DEL has to follow. A key that is in use after
-- all, or that may be, is not ours.
local changes = {hdel = true, del = true, hset = true, persist = true, pexpire = true, pexpireat = true, sadd = true, set = true,
  zadd = true, zrem = true, zremrangebyscore = true}
local makes = {hset = true, sadd = true}
local is_free = redis.acl_check_cmd or redis.pcall('exists', KEYS[1]) == 0
local may_delete = false
local function tried(all)
  if (changes[all[1]] and not is_free) or (makes[all[1]] and not may_delete) then
    return -2
  end
  local reply = redis.pcall(unpack(all))
  local failure = type(reply) == 'table' and reply.err
  if not failure then
    if all[1] == 'del' then
      may_delete = true
    elseif makes[all[1]] then
      redis.pcall('del', KEYS[1])
    end
    return 1
  end
  if string.find(failure, "The user executing the script can't", 1, true) then
    return 0
  end
  if string.find(failure, 'Unknown Redis command', 1, true) then
    return -1
  end
  return string.find(failure, 'not allowed from scripts', 1, true) and -2 or 1
end

local function asked(all)
  local known, allowed = pcall(redis.acl_check_cmd, unpack(all))
  if not known then
    return -1
  end
  return allowed and 1 or 0
end

local answers = {}
for i = 2, #ARGV do
  answers[#answers + 1] = (redis.acl_check_cmd and asked or tried)(words(ARGV[i]))
end
return answers
