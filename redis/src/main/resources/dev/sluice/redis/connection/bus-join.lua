-- Joins a name, or renews the expiry of its joined nodes, of its members and of the position of the
-- latest message. Returns that position. Without one, or with one that is unreadable, the script
-- stores and returns the start, a position with the number 0, if the node passes one.
--
-- Takes: KEYS: joined nodes, position of the latest message, members. ARGV: this node, expiry in
-- milliseconds; if there are three, the id of a start.
-- Before: "types" and "bus-position"; or "bus-occupy", too, which returns if there is no room.
-- Answers: the position of the latest message, or an empty text.
local interest, top, present, node, expiry = KEYS[1], KEYS[2], KEYS[3], ARGV[1], tonumber(ARGV[2])
local start = #ARGV == 3 and ARGV[3] or ''
redis.call('HSETNX', interest, node, '1')
redis.call('PEXPIRE', interest, expiry)
redis.call('PEXPIRE', present, expiry)
local latest = positionIn(top)
if not latest and start ~= '' then
	redis.call('SET', top, start, 'PX', expiry)
	latest = start
end
local left = redis.call('PTTL', top)
if left >= 0 and left < expiry then redis.call('PEXPIRE', top, expiry) end
return latest or ''
