-- The time of the server in milliseconds, and the leases of nodes. The end of a lease that is no time
-- within 10,000 days is unreadable, and treated as absent.
--
-- Takes: nothing.
-- Before: "types".
-- Answers: nothing; it provides now, furthest and isAlive to the later parts.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local furthest = now + 864000000000

-- Returns whether the lease of a node is valid.
local function isAlive(nodes, node)
	local till = tonumber(redis.call('ZSCORE', nodes, node) or 0)
	return till > now and till <= furthest
end
