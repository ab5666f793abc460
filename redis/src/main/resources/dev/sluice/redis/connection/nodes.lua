-- Renews or removes a node in the set of live nodes and the ends of their leases, in milliseconds. An
-- end that is further ahead than a lease is unreadable; its node, if it is alive, writes it again.
-- Returns the number of live nodes.
--
-- Takes: KEYS: nodes. ARGV: this node, lease in milliseconds, 0 to leave.
-- Before: "types".
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
if expiry > 0 then redis.call('ZREMRANGEBYSCORE', key, string.format('(%.0f', now + expiry), '+inf') end
return redis.call('ZCARD', key)
