-- Renews or removes a node in the set of live nodes and the ends of their leases, in milliseconds.
-- Returns the number of live nodes.
--
-- Takes: KEYS: nodes. ARGV: this node, lease in milliseconds, 0 to leave.
-- Before: nothing.
-- Answers: the number of live nodes.
local key, me, expiry = KEYS[1], ARGV[1], tonumber(ARGV[2])
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

-- The command that a server without free memory rejects is first, as it rejects none after a write.
if expiry > 0 then
	redis.call('ZADD', key, now + expiry, me)
	redis.call('PEXPIRE', key, expiry)
else
	redis.call('ZREM', key, me)
end
redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
return redis.call('ZCARD', key)
