-- Deletes the record of a session, unless a later incarnation has claimed it.
--
-- Takes: KEYS: record. ARGV: incarnation.
-- Before: "types".
-- Answers: the number of deleted records.
local record, incarnation = KEYS[1], tonumber(ARGV[1])
local MAX_DIGITS = 15
local known = string.match(redis.call('GET', record) or '', '^%S+ (%d+) ')
if known and #known <= MAX_DIGITS and tonumber(known) > incarnation then return 0 end
return redis.call('DEL', record)
