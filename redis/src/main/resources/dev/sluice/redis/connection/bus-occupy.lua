-- Sets the number of places of a node in a name, if the places of the other live nodes leave room
-- for them. Otherwise returns an empty reply. A number that is unreadable takes no place. The script for
-- joining follows.
--
-- Takes: KEYS: 1 joined nodes, 4 nodes. ARGV: 1 this node, 3 places of this node, 4 maximum for all
-- nodes.
-- Before: "types" and "bus-lease".
-- Answers: an empty list if there is no room; otherwise "bus-join" answers.
local interest, nodes, node, places, maxPlaces = KEYS[1], KEYS[4], ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])
local others, entries = 0, redis.call('HGETALL', interest)
for i = 1, #entries, 2 do
	if entries[i] ~= node then
		if not isAlive(nodes, entries[i]) then
			redis.call('HDEL', interest, entries[i])
		else
			others = others + tonumber(string.match(entries[i + 1], '^%d%d?%d?%d?%d?%d?%d?%d?%d?$') or 0)
		end
	end
end
if others + places > maxPlaces then return {} end
redis.call('HSET', interest, node, places)

