-- Ends the interest of a node in a name. The start of a name under which nothing was published
-- is kept for a time after the last one.
local interest, top, node, kept = KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2])
redis.call('HDEL', interest, node)
if redis.call('EXISTS', interest) == 0 and string.sub(redis.call('GET', top) or '', 1, 2) == '0.' then
	redis.call('PEXPIRE', top, kept)
end
return ''
