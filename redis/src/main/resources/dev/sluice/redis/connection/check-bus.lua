-- Commands that the scripts and nodes of the bus use.
--
-- Takes: KEYS: a key of its own. ARGV: a channel.
-- Before: nothing.
-- Answers: nothing; it provides the commands of the bus to "check".
local key, channel = KEYS[1], ARGV[1]
local publish = string.find(channel, '{', 1, true) and 'SPUBLISH' or 'PUBLISH'
local commands = { { 'SET', key, '', 'PX', 1000 }, { 'SETNX', key, '' }, { 'EXISTS', key },
	{ 'GET', key }, { 'GETRANGE', key, 0, 0 }, { 'PEXPIRE', key, 1000 },
	{ 'PEXPIREAT', key, 9000000000000 }, { 'PTTL', key }, { 'HDEL', key, 'f' }, { 'HGET', key, 'f' },
	{ 'HGETALL', key }, { 'HKEYS', key }, { 'HSET', key, 'f', 1 }, { 'HSETNX', key, 'f', 1 },
	{ 'LINDEX', key, 0 }, { 'LLEN', key }, { 'LPUSH', key, '' }, { 'LRANGE', key, 0, 0 },
	{ 'LTRIM', key, 0, 0 }, { 'RPUSH', key, '' }, { 'ZADD', key, 1, 'm' }, { 'ZRANGE', key, 0, 0 },
	{ 'ZRANGEBYSCORE', key, 0, 0 }, { 'ZREM', key, 'm' }, { 'ZREMRANGEBYSCORE', key, 0, 0 },
	{ 'ZSCORE', key, 'm' }, { 'TIME' }, { 'DEL', key },
	{ publish, channel, '' } }
