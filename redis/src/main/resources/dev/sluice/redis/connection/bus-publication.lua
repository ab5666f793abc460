-- Publishes a message under a name. A position is a number, a dot and the message's id; an
-- entry is its position, its last millisecond, how many entries there may be and what was
-- published, with blanks between.
-- The position is kept as long as nodes are interested. Answers it, then the nodes that were told.
local history, top, interest, nodes = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local id, size, time, prefix, head, again, payload = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], ARGV[5],
	ARGV[6], ARGV[7]
local expiry = tonumber(ARGV[8])
local COMPARED, AT_ONCE, POSITION_TIME = 1000, 100, 10
local last = redis.call('GET', top) or ''

-- Returns the position that the message has already, if it is among the latest.
local function find()
	if string.match(last, '^%d+%.(.*)$') == id then return last end
	for to = -1, -COMPARED, -AT_ONCE do
		local latest = redis.call('LRANGE', history, to - AT_ONCE + 1, to)
		for i = #latest, 1, -1 do
			local at, found = string.match(latest[i], '^(%d+%.(%S+))')
			if found == id then return at end
		end
		if #latest < AT_ONCE then return nil end
	end
end

local function publish()
	local at = again == '1' and find()
	if at then
		local reply = redis.call('HKEYS', interest)
		table.insert(reply, 1, at)
		return reply
	end

	at = string.format('%.0f.%s', tonumber(string.match(last, '^(%d+)') or 0) + 1, id)
	if size > 0 then
		local clock = redis.call('TIME')
		local till = clock[1] * 1000 + math.floor(clock[2] / 1000) + time
		redis.call('RPUSH', history, at .. ' ' .. string.format('%.0f', till) .. ' ' .. size .. ' ' .. payload)
		redis.call('LTRIM', history, -size - 1, -1)
		redis.call('PEXPIRE', history, POSITION_TIME * time)
	else
		redis.call('DEL', history)
	end
	local kept = POSITION_TIME * time
	if kept < expiry and redis.call('EXISTS', interest) == 1 then kept = expiry end
	redis.call('SET', top, at, 'PX', kept)
	local reply = tell(interest, nodes, prefix, head .. at .. ' ' .. last .. ' ' .. payload)
	table.insert(reply, 1, at)
	return reply
end
