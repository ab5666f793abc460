-- Publishes frames to the nodes that have joined a name. A node without a subscriber whose lease
-- has expired is removed. Returns the other nodes. A count of 0 subscribers alone is no proof, as a
-- channel without a tag may have its subscriber on another server of a cluster.
--
-- Takes: no keys and arguments.
-- Before: "types" and "bus-lease".
-- Answers: nothing; it provides publishTo to the later parts.
local function publishTo(interest, interested, nodes, prefix, frames)
	local send, notified = string.find(prefix, '{', 1, true) and 'SPUBLISH' or 'PUBLISH', {}
	for _, node in ipairs(interested) do
		local receivers, ended = 0, false
		for _, frame in ipairs(frames) do receivers = redis.call(send, prefix .. node, frame) end
		if receivers == 0 then ended = not isAlive(nodes, node) end
		if ended then redis.call('HDEL', interest, node) else notified[#notified + 1] = node end
	end
	return notified
end
