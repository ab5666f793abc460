-- Notes that a member is not present at a node any more: at the one that asks, or at one
-- whose lease has ended. Publishes if it was present at no other; answers nothing otherwise.
local present, node, member, me = KEYS[5], ARGV[9], ARGV[10], ARGV[11]
if node ~= me then
	local clock = redis.call('TIME')
	local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
	if tonumber(redis.call('ZSCORE', nodes, node) or 0) > now then return {} end
end

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
