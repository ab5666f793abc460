-- Removes a node from a name. If it was the last node and no message was published, the start of the
-- name expires after a time.
--
-- Takes: KEYS: joined nodes, position of the latest message. ARGV: this node, time in milliseconds.
-- Before: "types".
-- Answers: an empty text.
local interest, top, node, kept = KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2])
redis.call('HDEL', interest, node)
if redis.call('EXISTS', interest) == 0 and string.sub(redis.call('GET', top) or '', 1, 2) == '0.' then
	redis.call('PEXPIRE', top, kept)
end
return ''
