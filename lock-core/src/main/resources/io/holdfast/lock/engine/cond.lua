-- What the scripts of conditions share besides what all scripts of queued locks do: this text stands behind that.
-- KEYS of all: lock, token clock, readers, queue, seen, condition, present; ARGV and the reply are the script's own.
--
-- A condition has the calls that await it, `w` and the field, in the order of their places; beside it, until when each is
-- remembered: the clients that await, the signals that were given, and the fields that have left by themselves. A field and the
-- id of a signal have a colon, the id of a client has none.
--
-- The presence of clients is kept apart from that in the lock's queue, which goes with the queue, and which a reservation lowers.
local condition, present = KEYS[6], KEYS[7]
