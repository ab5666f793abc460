-- Sends a frame to the nodes that are interested in a name, and forgets those that hear
-- nothing and whose lease has ended. Returns the others.
local function tell(interest, nodes, prefix, frame)
	local clock = redis.call('TIME')
	local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
	local told = {}
	for _, node in ipairs(redis.call('HKEYS', interest)) do
		local heard = redis.call('PUBLISH', prefix .. node, frame)
		if heard == 0 and tonumber(redis.call('ZSCORE', nodes, node) or 0) <= now then
			redis.call('HDEL', interest, node)
		else
			told[#told + 1] = node
		end
	end
	return told
end
