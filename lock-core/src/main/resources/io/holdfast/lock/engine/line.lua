-- What the scripts of all queues share: this text stands behind what all scripts share, and before that of queued locks or of
-- semaphores. KEYS, ARGV and the reply are the script's own.
--
-- The queue has those that wait: a letter and a field for each, in the order of their places. While there are any, `seen` says
-- until when each client counts as present.
--
-- Numbers that are only passed on stay text: to write a number as text takes as long as a call.
local most_admitted, most_dropped, deputies_at_once = 64, 500, 16

-- For how long the places of a client that is not present are passed over, in ms, before they are dropped.
local passed_for = 15000

-- What only the object knows whose queue it is; it says so behind this text.
--   fits(mode, field): whether what is asked for may be let in now
--   can_fit(mode, field): whether it may be at all, when others have given back what they have
--   is_much(mode, field): whether letting it in would make this step a long one
--   take(mode, field, lease): lets in who asks, and returns its token
--   reserve(mode, field, window): lets in another
--   reserved(): comes behind reservations
--   time_left(): in how many ms the first of what is in the way is over, for who is refused; -1 if it has no end
local fits, can_fit, is_much, take, reserve, reserved, time_left

-- Whether something has gone in this step of which all who wait are to hear; and whether the queue has become shorter.
local freed, shortened = false, false

-- The server's time in ms.
-- DEADLINES are compared by it, so it is never a client's estimate.
local function now()
  return math.floor(now_micros() / 1000)
end

-- A reservation has an odd deadline, and a hold an even one; what another version wrote may be odd too, but is farther off.
local function reserved_until(deadline)
  return deadline + 1 - deadline % 2
end

local function is_reservation(deadline, window)
  return deadline % 2 == 1 and deadline - now() <= window + 1
end

local function client(field)
  return string.match(field, '^[^:]*')
end

-- A key of another type in the place of one of these two must not keep anything from being released, hence pcall here and below.
local known = {}
local function present_until(field)
  local id = client(field)
  if not known[id] then
    local until_ms = redis.pcall('ZSCORE', KEYS.seen, id)
    known[id] = type(until_ms) == 'string' and tonumber(until_ms) or 0
  end
  return known[id]
end

local function alive(field)
  return present_until(field) > now()
end

-- Any other error is one that the client has to hear of: a place that a replica does not give back is still there.
local function unqueue(member)
  local gone = redis.pcall('ZREM', KEYS.queue, member)
  if type(gone) == 'table' and not string.find(gone.err, 'WRONGTYPE', 1, true) then
    gone = redis.call('ZREM', KEYS.queue, member)
  end
  shortened = gone == 1 or shortened
end

-- Who looks if the last that was told does not come: the first left that is present, and of another client. Usually that is
-- one of the next few; the many calls of one process may stand between. If those are too many, it is sought among the last.
local function deputy(told)
  local from, others = 0, redis.call('ZCARD', KEYS.seen) > 1
  while others do
    local members = redis.call('ZRANGE', KEYS.queue, from, from + deputies_at_once - 1)
    for _, member in ipairs(members) do
      local field = string.sub(member, 2)
      if client(field) ~= client(told) and alive(field) then
        return field
      end
    end
    others = from >= 0 and #members == deputies_at_once
    from = from + deputies_at_once
    if from > most_dropped then
      from = -deputies_at_once
    end
  end
  return ''
end

local function publish(channel, message)
  local receivers = redis.pcall('PUBLISH', channel, message)
  return type(receivers) == 'number' and receivers or -1
end

-- Admits from the front of the queue what fits, and no one past the first that does not but those whose clients are not present: they
-- are passed over, and keep their places for as long as `passed_for` (rule 131). Who asks gets it for its lease; each
-- other gets a reservation, and is told. So is one that can't fit at all, and leaves the queue. Returns the token of who asks,
-- if it was its turn; how many were told; whether more may be admitted at once, by the next step; and the first that is left.
local function admit(channel, window, asker, lease)
  local told, shown, passed, dropped, token, enough = {}, {}, 0, 0, nil, false
  local first = redis.pcall('ZRANGE', KEYS.queue, '0', '0')[1]
  while first and #told < most_admitted and dropped < most_dropped do
    local mode, field = string.sub(first, 1, 1), string.sub(first, 2)
    local fitting = fits(mode, field)
    if not alive(field) then
      if passed < most_dropped and present_until(field) + passed_for > now() then
        passed = passed + 1
      else
        unqueue(first)
        dropped = dropped + 1
      end
    elseif not fitting and can_fit(mode, field) then
      break
    elseif fitting and is_much(mode, field) then
      enough = true
      break
    else
      unqueue(first)
      if fitting and first == asker then
        token = take(mode, field, lease)
      else
        told[#told + 1] = field
        if fitting then
          reserve(mode, field, window)
          if not shown[client(field)] then
            shown[client(field)] = true
            redis.call('ZADD', KEYS.seen, 'XX', 'LT', now() + window, client(field))
          end
        end
      end
    end
    first = redis.call('ZRANGE', KEYS.queue, passed, passed)[1]
  end
  local more = first and (enough or #told == most_admitted or dropped == most_dropped)
  local receivers = 0
  if shortened and not first and passed == 0 and type(redis.pcall('ZCARD', KEYS.seen)) == 'number' then
    redis.call('DEL', KEYS.seen)
  end
  if #told > 0 then
    reserved()
    receivers = publish(channel, table.concat(told, ' ') .. ';' .. deputy(told[#told]))
  elseif more or not token and (freed or dropped > 0 and not first) then
    receivers = publish(channel, '0')
  end
  return token, receivers, more, first
end

-- Makes a hold of a reservation, whose time the lease replaces. Those who were refused meanwhile were told of the reservation: where
-- something that is in their way ends before, they are to look again.
local function claim(channel, lease, window, make_hold)
  local is_short = tonumber(lease) < tonumber(window)
  local before = is_short and time_left()
  make_hold()
  if is_short and time_left() < before then
    tell(channel)
  end
end

local function is_present(field, presence)
  redis.call('ZADD', KEYS.seen, now() + presence, client(field))
  redis.call('PEXPIRE', KEYS.seen, presence)
end

-- The client of a call that waits stays present while there is a queue, and so does one that asks beside its waiting calls. The
-- expiry comes first: it is a write that is allowed with memory full.
local function stays(field, waits, presence)
  if (waits or redis.call('ZSCORE', KEYS.seen, client(field))) and redis.call('PEXPIRE', KEYS.queue, presence) == 1 then
    is_present(field, presence)
  end
end

-- Asks for what no field of the asker's has yet. A call that waits gets a place behind those that came before. Returns the reply:
-- {1, token, anew} granted; {0, time to live in ms (-2: ask again at once), place in the queue (-1: none), anew} refused. Anew
-- is 1 if it waits and stood in no queue before, else 0: what had a place has lost it.
local function ask(mode, field, lease, waits, window, presence, channel)
  local member = mode .. field
  local last = redis.call('ZRANGE', KEYS.queue, '-1', '-1', 'WITHSCORES')[2]
  if not last and fits(mode, field) then
    return {1, take(mode, field, lease), waits and 1 or 0}
  end

  local anew = 0
  if waits and not redis.call('ZSCORE', KEYS.queue, member) then
    -- Present first: where that fails, no place may be left that never expires.
    is_present(field, presence)
    redis.call('ZADD', KEYS.queue, (last or 0) + 1, member)
    redis.call('PEXPIRE', KEYS.queue, presence)
    anew = 1
  else
    stays(field, waits, presence)
  end

  local token, _, more, first = admit(channel, window, member, lease)
  if not (token or waits or first) and fits(mode, field) then
    token = take(mode, field, lease)
  end
  if token then
    return {1, token, anew}
  end
  return {0, more and -2 or time_left(), redis.call('ZRANK', KEYS.queue, member) or -1, anew}
end
