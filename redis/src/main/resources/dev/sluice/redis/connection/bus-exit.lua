-- Removes the presence of a member at a node: the calling node, or a node whose lease has expired.
-- Publishes if it is present at no other node; otherwise returns an empty reply.
--
-- Takes: KEYS: 5 members. ARGV: 9 node, 10 member, 11 this node; id and payload of the departure
-- before.
-- Before: "bus-publication" provides publish and nodes.
-- Answers: as "bus-publish", or an empty list.
local present, node, member, me = KEYS[5], ARGV[9], ARGV[10], ARGV[11]
if node ~= me and isAlive(nodes, node) then return {} end

local known, others = false, {}
for other in string.gmatch(redis.call('HGET', present, member) or '', '%S+') do
	if other == node then known = true else others[#others + 1] = other end
end
if not known then return {} end
if #others > 0 then
	redis.call('HSET', present, member, table.concat(others, ' '))
	return {}
end
redis.call('HDEL', present, member)
return publish(FIRST + 1)
