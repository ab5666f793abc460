-- Forgets a session, unless it has been claimed since.
local record, incarnation = KEYS[1], tonumber(ARGV[1])
local known = string.match(redis.call('GET', record) or '', '^%S+ (%d+) ')
if known and tonumber(known) > incarnation then return 0 end
return redis.call('DEL', record)
