-- Renews the leases of a node in partitions, and publishes a probe to it. Returns 1, or 0 if one of
-- its leases had expired. On request, each live node and the remaining milliseconds of its lease
-- follow. A channel with a tag is sharded.
--
-- Takes: KEYS: nodes of each partition. ARGV: this node, lease in milliseconds, 0 to leave,
-- channel, probe, whether the nodes are requested (0 or 1).
-- Before: "types" and "bus-lease".
-- Answers: 1 or 0; then each node and the rest of its lease, if requested.
local me, lease, channel, probe, asked = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5]

local reply = { 1 }
for _, nodes in ipairs(KEYS) do
	if not isAlive(nodes, me) then reply[1] = 0 end
	if lease > 0 then
		redis.call('ZADD', nodes, now + lease, me)
		redis.call('ZREMRANGEBYSCORE', nodes, '-inf', now)
		local latest = redis.call('ZRANGE', nodes, -1, -1, 'WITHSCORES')[2]
		if tonumber(latest) > furthest then
			redis.call('ZREMRANGEBYSCORE', nodes, string.format('(%.0f', furthest), '+inf')
			latest = redis.call('ZRANGE', nodes, -1, -1, 'WITHSCORES')[2]
		end
		redis.call('PEXPIREAT', nodes, string.format('%.0f', latest))
	else
		redis.call('ZREM', nodes, me)
	end
end
if lease > 0 then redis.call(string.find(channel, '{', 1, true) and 'SPUBLISH' or 'PUBLISH', channel, probe) end
if asked == '0' then return reply end

local alive = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
for i = 1, #alive, 2 do
	reply[#reply + 1] = alive[i]
	reply[#reply + 1] = string.format('%.0f', alive[i + 1] - now)
end
return reply
