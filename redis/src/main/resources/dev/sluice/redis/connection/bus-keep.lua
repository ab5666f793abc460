-- Stores the record of a session with an expiry, unless a later incarnation has claimed it. Returns
-- whether it is stored. A record has a node, an incarnation, an owner, secrets separated by commas,
-- and a content, separated by spaces.
--
-- Takes: KEYS: record. ARGV: expiry in milliseconds, then the record: node, incarnation, owner,
-- secrets, content.
-- Before: "types".
-- Answers: 1, or 0 if a later incarnation exists.
local record, time, incarnation = KEYS[1], ARGV[1], ARGV[3]
local MAX_DIGITS = 15
local known = string.match(redis.call('GET', record) or '', '^%S+ (%d+) ')
if known and #known <= MAX_DIGITS and tonumber(known) > tonumber(incarnation) then return 0 end
redis.call('SET', record, table.concat(ARGV, ' ', 2), 'PX', time)
return 1
