-- Number of arguments before the arguments of the operation, and the functions of keys that share a
-- capacity.
--
-- Takes: what "clock" takes.
-- Before: "types"; now, state, toShort and the other variables of "clock".
-- Answers: nothing; the later parts do. A state of a later format is an error.
local fixed, shares = 6, nil

-- Makes a server without free memory run the rest of the script: after the first write it rejects
-- no command. Used by operations that need no more memory than they free, so that permits are still
-- released and renewed.
local function evenIfFull()
	redis.call('ZREM', line, '')
end

-- Returns the number that a text is, or nil if the text is no number from 0 to a maximum.
local function numberIn(text, most)
	local number = string.find(text or '', '^%d+$') and tonumber(text)
	return number and number <= most and number or nil
end

-- Returns how long permits granted now can be used without counting in the wrong bucket; -1 without
-- a limit.
local usable = function()
	return -1
end

-- End of a move of this key to or from another place, which takes no longer than a minute.
local moving, longestMove = 0, 60000000

-- Granted calls whose replies may not have arrived, oldest first: the call, the requested permits
-- that it did not take, and the time. A call of a node confirms the replies to its earlier calls,
-- except the calls that it names, so there is usually one call for each node. If a reply is lost, the
-- node has its call undone.
local calls, maxCalls = {}, 32

local function nodeOf(id)
	return string.sub(id, 1, 4)
end

local function note(id, short, unheard)
	local noted = {}
	for _, other in ipairs(calls) do
		if nodeOf(other[1]) ~= nodeOf(id) or string.find(unheard, other[1], 1, true) then
			noted[#noted + 1] = other
		end
	end
	if #noted == maxCalls then
		table.remove(noted, 1)
	end
	noted[#noted + 1] = { id, short, now }
	calls = noted
end

-- Reads calls from values: each is followed by two numbers, unless both are 0.
local function readCalls(values, from, time)
	calls = {}
	for i = from, #values do
		if type(values[i]) == 'string' then
			local short, ago = values[i + 1], values[i + 2]
			local numbers = type(short) == 'number' and isNumber(math.abs(short), EXACT) and isNumber(ago, EXACT)
			calls[#calls + 1] = { values[i], numbers and short or 0, time(numbers and ago or 0) }
		end
	end
end

local function writeCalls(age)
	local values = {}
	for _, call in ipairs(calls) do
		local ago = age(call[3])
		values[#values + 1] = call[1]
		if call[2] ~= 0 or ago ~= 0 then
			values[#values + 1] = call[2]
			values[#values + 1] = ago
		end
	end
	return unpack(values)
end

local function fromShort(number)
	return (number < 0) and -number * 1000000 or number
end

local function isShort(number)
	return type(number) == 'number' and number ~= 0 and math.abs(number) <= EXACT
end

-- Returns whether values are in the format of this version.
local function isReadable(values)
	local version, kind = values[1], values[2]
	if isNumber(version, EXACT) and version > 1 and type(kind) == 'string' then
		error('The state of ' .. state .. ' has a format that this version of Sluice does not know')
	end
	return version == 1
end

-- Returns the permits used under a rate of another kind or with other terms. An unreadable state has
-- none.
local function usedBefore(raw, from)
	if type(raw) == 'table' then
		local times = redis.call('LRANGE', from, 0, -1)
		local newest = numberIn(times[#times], latestTime)
		if not newest then
			return 0
		end
		local period = now + redis.call('PTTL', from) * 1000 - newest
		local used = 0
		while used < #times and (numberIn(times[#times - used], latestTime) or 0) + period > now do
			used = used + 1
		end
		return used
	end
	local values = raw and unpacked(raw) or {}
	local kind, a, b, c, d = unpack(values, 2, 6)
	if not isReadable(values) then
		return 0
	end
	if kind == 'M' then
		moving = isNumber(a, now + longestMove) and a or 0
		return 0
	end
	if kind == 'T' then
		if isNumber(a, latestTime) and isShort(c) and isNumber(d, 30) and isNumber(b, EXACT * 2 ^ d) then
			return math.ceil(math.max(0, b - (now - a) * 2 ^ d) / fromShort(c))
		end
		return 0
	end
	if kind ~= 'W' or not isShort(a) or not isNumber(b, EXACT) or not isCounts(c, fromShort(a)) then
		return 0
	end
	local used, length = 0, fromShort(a)
	for i = 1, #c, 2 do
		if (c[i] + b) * length > now then
			used = used + c[i + 1]
		end
	end
	return used
end
