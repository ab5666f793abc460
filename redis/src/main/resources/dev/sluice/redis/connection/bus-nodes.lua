-- Publishes frames to the nodes that have joined a name. A node without a subscriber whose lease
-- has expired is removed. Returns the other nodes. A count of 0 subscribers alone is no proof, as a
-- channel without a tag may have its subscriber on another server of a cluster.
local function tell(interest, interested, nodes, prefix, frames)
	local send, told = string.find(prefix, '{', 1, true) and 'SPUBLISH' or 'PUBLISH', {}
	for _, node in ipairs(interested) do
		local heard, ended = 0, false
		for _, frame in ipairs(frames) do heard = redis.call(send, prefix .. node, frame) end
		if heard == 0 then
			local clock = redis.call('TIME')
			local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
			ended = tonumber(redis.call('ZSCORE', nodes, node) or 0) <= now
		end
		if ended then redis.call('HDEL', interest, node) else told[#told + 1] = node end
	end
	return told
end
