-- Publishes messages under a name, one after the other. A position is a number, a dot and the id of
-- the message. An entry has its position, its last millisecond, the maximum number of entries and
-- the payload, separated by spaces. The list starts with the position of the entry that precedes
-- the first one. The position does not expire while nodes have joined. Returns the position of the
-- first message, then the nodes that it was published to.
--
-- Takes: KEYS: history, position of the latest message, joined nodes, nodes. ARGV: size and time of
-- the history, prefix of channels, head of frames, whether the message may have been published (0
-- or 1), expiry of the position; id and payload of each message from 7 on.
-- Before: "types", "bus-lease" and "bus-position"; "bus-nodes" provides publishTo.
-- Answers: nothing; it provides publish to the next part.
local history, top, interest, nodes = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local size, time, prefix, head, again, expiry = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5],
	tonumber(ARGV[6])
local FIRST, COMPARED, AT_ONCE, POSITION_TIME = 7, 1000, 100, 10
local latest = positionIn(top) or ''

-- Returns the position of a message if it is among the latest.
local function find(id)
	if string.match(latest, '^%d+%.(.*)$') == id then return latest end
	for to = -1, -COMPARED, -AT_ONCE do
		local entries = redis.call('LRANGE', history, to - AT_ONCE + 1, to)
		for i = #entries, 1, -1 do
			local at, found = string.match(entries[i], '^(%d+%.(%S+))')
			if found == id then return at end
		end
		if #entries < AT_ONCE then return nil end
	end
end

-- Publishes the messages whose ids and payloads are the arguments up to a last one. A message that
-- may have been published before is the only one.
local function publish(to)
	local interested = redis.call('HKEYS', interest)
	local at = again == '1' and find(ARGV[FIRST])
	if at then
		table.insert(interested, 1, at)
		return interested
	end

	local limits = ' ' .. string.format('%.0f', now + time) .. ' ' .. size .. ' '
	local number, first, before = tonumber(string.match(latest, '^%d+') or 0), nil, latest
	local entries, frames = {}, {}
	for i = FIRST, to, 2 do
		number = number + 1
		local payload = ARGV[i + 1]
		at = string.format('%.0f', number) .. '.' .. ARGV[i]
		first = first or at
		entries[#entries + 1] = at .. limits .. payload
		if interested[1] then frames[#frames + 1] = head .. at .. ' ' .. latest .. ' ' .. payload end
		latest = at
	end

	if size > 0 then
		local length = redis.call('RPUSH', history, unpack(entries))
		if length == #entries and before ~= '' then
			length = redis.call('LPUSH', history, before .. ' 0 ' .. size .. ' ')
		end
		if length > size + 1 then redis.call('LTRIM', history, -size - 1, -1) end
		redis.call('PEXPIRE', history, POSITION_TIME * time)
	else
		redis.call('DEL', history)
	end
	local kept = POSITION_TIME * time
	if kept < expiry and interested[1] then kept = expiry end
	redis.call('SET', top, latest, 'PX', kept)
	local reply = publishTo(interest, interested, nodes, prefix, frames)
	table.insert(reply, 1, first)
	return reply
end
