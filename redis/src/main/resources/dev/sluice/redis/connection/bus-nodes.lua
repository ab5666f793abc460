-- Sends frames to the nodes that are interested in a name, and forgets those that hear nothing
-- and whose lease has ended. Returns the others. That nobody has heard says nothing by itself:
-- channels without a tag may be listened to at another server of a cluster.
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
