-- Publishes a frame to all nodes. Returns the live nodes. A channel with a tag is sharded.
--
-- Takes: KEYS: nodes. ARGV: channel, frame.
-- Before: "types" and "bus-lease".
-- Answers: the live nodes.
local nodes, channel, frame = KEYS[1], ARGV[1], ARGV[2]
redis.call(string.find(channel, '{', 1, true) and 'SPUBLISH' or 'PUBLISH', channel, frame)
return redis.call('ZRANGEBYSCORE', nodes, now, furthest)
