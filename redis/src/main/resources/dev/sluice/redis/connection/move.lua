-- Moves a key of a rate to another place. The new place is marked before the limit changes, and the
-- old one after it. A marked place grants no permits, also to nodes without the new definition.
--
-- Takes: no more than "clock" takes.
-- Before: "types"; "clock" provides the operation, the time and the keys, "head" usedBefore.
-- Answers: 1; "depart" as its comment says.
local expected = 10000000

local function mark()
	redis.call('SET', state, cmsgpack.pack(1, 'M', now + expected), 'PX', expected / 1000)
end

if op == 'expect' then
	if redis.call('EXISTS', state) == 0 then
		mark()
	end
	return { 1 }
end

-- The first key has the nodes that wait for any key of a dynamic window.
if op == 'expect-all' then
	redis.call('HSET', state, '', now + expected)
	redis.call('PEXPIRE', state, expected / 1000)
	return { 1 }
end

-- Returns the used permits, and the waiters as alternating member and score.
if op == 'depart' then
	local raw = redis.pcall('GET', state)
	local reply = { raw and usedBefore(raw, state) or 0 }
	for _, place in ipairs(redis.call('ZRANGE', line, 0, -1, 'WITHSCORES')) do
		reply[#reply + 1] = place
	end
	redis.call('DEL', state, line, nodes)
	mark()
	return reply
end

error('Unknown operation ' .. op)
