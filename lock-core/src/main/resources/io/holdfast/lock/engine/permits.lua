-- What the scripts of semaphores share: this text stands behind what all queues share, and before each of them.
-- KEYS, ARGV and the reply are the script's own.
--
-- Each permit that is taken is a field in a sorted set, with a deadline of its own. How many are left is the limit less how many
-- are there: nothing is counted up or down. A *span* names permits that are taken together, whose fields have consecutive
-- numbers: the first field, and behind it `*` and how many they are; of one permit it is the field. In the queue a span has the
-- letter `p`.
local most_let_in = 1000

-- The limit, false if none was set; and how many are taken. A step reads them once, with `look`.
local most, taken

-- How many permits this step has given to calls that waited.
local let_in = 0

local function size(span)
  return tonumber(string.match(span, '%*(%d+)$') or 1)
end

local function fields(span)
  local start, number = string.match(span, '^(.*:)(%d+)')
  local all = {}
  for i = 0, size(span) - 1 do
    all[i + 1] = start .. digits(number + i)
  end
  return all
end

-- Takes what the server says of the limit: an error, of what is in its place, keeps no permit from being released, and then none is
-- let in. Drops permits whose time is over. Where there is nothing to drop nothing is written: after a write the server would allow any
-- other with memory full.
local function look(limit)
  most = tonumber(limit) or false
  if redis.call('ZCOUNT', KEYS.permits, '-inf', now()) > 0 then
    redis.call('ZREMRANGEBYSCORE', KEYS.permits, '-inf', now())
  end
  taken = redis.call('ZCARD', KEYS.permits)
end

function fits(_, span)
  return taken + size(span) <= (most or 0)
end

function can_fit(_, span)
  return not most or size(span) <= most
end

-- A call is let in whole, however large it is.
function is_much(_, span)
  return let_in > 0 and let_in + size(span) > most_let_in
end

function time_left()
  local first = redis.call('ZRANGE', KEYS.permits, '0', '0', 'WITHSCORES')[2]
  return first and math.max(first - now(), 0) or -1
end

-- The set lives as long as the last permit. It is a write that is allowed with memory full, and makes others allowed.
local function live_until(deadline)
  local last = redis.call('ZRANGE', KEYS.permits, '-1', '-1', 'WITHSCORES')[2]
  redis.call('PEXPIREAT', KEYS.permits, math.max(deadline, last or 0))
end

-- Gives each permit of a span this deadline, or leaves it one that is later, unless the span was reserved (XX).
local function write(span, deadline, which)
  local scores = {}
  for _, field in ipairs(fields(span)) do
    scores[#scores + 1] = deadline
    scores[#scores + 1] = field
  end
  redis.call('ZADD', KEYS.permits, which or 'GT', unpack(scores))
end

-- The token of the first permit of a span; each other one's is one more than that of the one before.
local function tokens(span)
  local first = mint()
  local others = size(span) - 1
  if others > 0 then
    redis.call('SET', KEYS.clock, digits(first + others))
  end
  return first
end

local function let_in_until(span, deadline)
  write(span, deadline)
  live_until(deadline)
  taken = taken + size(span)
  let_in = let_in + size(span)
end

-- The permits get their tokens when they are claimed.
function reserve(_, span, window)
  let_in_until(span, reserved_until(now() + window))
end

function reserved() end

function take(_, span, lease)
  local first = tokens(span)
  let_in_until(span, held_until(now() + lease))
  return first
end
