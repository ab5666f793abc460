-- Reads the valid entries of a name: from a known position on if the list has it, even if its own
-- entry has expired, otherwise from the first valid entry. A maximum, if positive, limits their
-- number, not counting the known one. Returns the position of the latest message and the position
-- before the first entry, then the position and payload of each entry. An entry that is not in the
-- format of the bus has the position of its place in the list and no payload; if it has no such
-- place, it is skipped.
--
-- Takes: KEYS: history, position of the latest message. ARGV: known position or an empty text,
-- maximum number of entries or 0.
-- Before: "types" and "bus-position".
-- Answers: two positions, then position and payload of each entry.
local history, top, known, maxEntries = KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2])
local last = positionIn(top) or ''
if last == known then return { last, last } end

-- The distance of a known entry from the latest is the difference of their numbers.
local total = redis.call('LLEN', history)
local from, to = 0, -1
local first, latest = string.match(known, '^%d+'), string.match(last, '^%d+')
if first and latest and tonumber(first) < tonumber(latest) then
	local index = first - latest - 1
	local entry = redis.call('LINDEX', history, index)
	if entry and string.match(entry, '^%S+') == known then
		from = total + index
		if maxEntries > 0 then to = from + maxEntries end
	end
end

local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local entries = redis.call('LRANGE', history, from, to)
local size = total
for i = -1, -math.min(total, 100), -1 do
	local limit = string.match(redis.call('LINDEX', history, i), '^%d+%.%S+ %d+ (%d+) ')
	if limit then
		size = tonumber(limit)
		break
	end
end
local reply, previous, number, unreadable = { last, '' }, '', nil, 0

-- Adds an entry unless it is before the wanted ones.
local function add(i, at, till, payload)
	local wanted = from + i > total - size and till > now
	if at == known then reply = { last, previous } elseif not wanted then reply = { last, at } end
	if at == known or wanted then
		reply[#reply + 1] = at
		reply[#reply + 1] = payload
	end
	previous = at
end

-- Adds the unreadable entries between the previous entry and a number.
local function fill(i, till, till_number)
	local begin = math.max((number or 0) + 1, till_number - unreadable)
	for missing = begin, till_number - 1 do
		add(i, string.format('%.0f', missing) .. '.unreadable', till, '')
	end
	unreadable = 0
end

for i, entry in ipairs(entries) do
	local at, till, payload = string.match(entry, '^(%d+%.%S+) (%d+) %d+ (.*)$')
	local digits = at and string.match(at, '^%d+')
	if isPosition(digits) then
		local offset = tonumber(digits)
		if unreadable > 0 then fill(i - 1, tonumber(till), offset) end
		add(i, at, tonumber(till), payload)
		number = offset
	else
		unreadable = unreadable + 1
	end
end
if unreadable > 0 and latest then fill(#entries, now + 1, tonumber(latest) + 1) end
if #reply == 2 then reply[2] = last end
if maxEntries > 0 then
	local wanted = reply[3] == known and maxEntries + 1 or maxEntries
	for i = #reply, 2 * wanted + 3, -1 do reply[i] = nil end
end
return reply
