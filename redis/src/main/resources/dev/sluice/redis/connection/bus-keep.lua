-- Keeps what is known of a session, for a time, unless it has been claimed since. Answers
-- whether it is kept. What is kept is a node, an incarnation, an owner, secrets with commas
-- between, and a content, with blanks between.
local record, time, incarnation = KEYS[1], ARGV[1], ARGV[3]
local known = string.match(redis.call('GET', record) or '', '^%S+ (%d+) ')
if known and tonumber(known) > tonumber(incarnation) then return 0 end
redis.call('SET', record, table.concat(ARGV, ' ', 2), 'PX', time)
return 1
