-- Commands that the scripts and nodes of limits use.
--
-- Takes: KEYS: a key of its own. ARGV: a channel.
-- Before: nothing.
-- Answers: nothing; it provides the commands of limits to "check".
local key, channel = KEYS[1], ARGV[1]
local commands = { { 'SET', key, '', 'PX', 1000 }, { 'GET', key }, { 'EXISTS', key }, { 'PEXPIRE', key, 1000 },
	{ 'PTTL', key }, { 'HDEL', key, 'f' }, { 'HGET', key, 'f' }, { 'HGETALL', key }, { 'HINCRBY', key, 'f', 1 },
	{ 'HSET', key, 'f', 1 }, { 'LINDEX', key, 0 }, { 'LLEN', key }, { 'LPOP', key }, { 'LRANGE', key, 0, 0 },
	{ 'LREM', key, 0, '' }, { 'RPUSH', key, '' }, { 'ZADD', key, 1, 'm' }, { 'ZCARD', key }, { 'ZCOUNT', key, 0, 0 },
	{ 'ZRANGE', key, 0, 0 }, { 'ZRANGEBYSCORE', key, 0, 0 }, { 'ZRANK', key, 'm' }, { 'ZREM', key, 'm' },
	{ 'ZREMRANGEBYSCORE', key, 0, 0 }, { 'ZSCORE', key, 'm' }, { 'TIME' }, { 'SCAN', '0', 'COUNT', 1 },
	{ 'UNLINK', key }, { 'DEL', key }, { 'PUBLISH', channel, '' } }
