-- Sends a frame to the nodes that have joined a name, without a position.
--
-- Takes: KEYS: joined nodes, nodes. ARGV: prefix of channels, frame.
-- Before: "bus-nodes" provides publishTo.
-- Answers: the nodes that have joined.
local interest, nodes, prefix, frame = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
return publishTo(interest, redis.call('HKEYS', interest), nodes, prefix, { frame })
