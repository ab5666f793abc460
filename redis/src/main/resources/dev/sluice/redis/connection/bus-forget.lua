-- Forgets a session, unless it has been claimed since.
local record, incarnation = KEYS[1], tonumber(ARGV[1])
if tonumber(redis.call('HGET', record, 'incarnation') or 0) > incarnation then return 0 end
return redis.call('DEL', record)
