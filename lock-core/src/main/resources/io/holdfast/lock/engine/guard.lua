-- Runs `step`, which stands before this, if the server is in the term that the client names (rules 86, 87).
-- KEYS: term; behind it those of the step. ARGV: those of the step, then the Sentinels' epoch, the pause in ms with which
-- the term begins, whether the step is run during the pause (1 or 0).
-- Reply: {0, the step's answer} it counts; {ms left of the pause, the step's answer if it was run}; {-1} the server is
-- in no such term; {-2, why} INFO is refused; {-3} INFO tells no id.
local early, pause, epoch = table.remove(ARGV), tonumber(table.remove(ARGV)), table.remove(ARGV)

local id, untold = replication_id()
if not id then
  return untold
end
if redis.call('HGET', KEYS.term, 'id') ~= id or redis.call('HGET', KEYS.term, 'epoch') ~= epoch then
  return {-1}
end

local time = redis.call('TIME')
local passed = (time[1] * 1000000 + time[2] - redis.call('HGET', KEYS.term, 'since')) / 1000
if passed < 0 then
  -- The clock was set back since: the pause would last until it is there again. The term begins anew.
  return {-1}
end
local left = math.max(0, math.ceil(pause - passed))
if left == 0 or early == '1' then
  return {left, step()}
end
return {left}
