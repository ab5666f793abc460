-- Number of arguments before the arguments of the operation, and the functions of keys that share a
-- capacity.
--
-- Takes: what "clock" takes.
-- Before: now, state, toShort and the other variables of "clock".
-- Answers: nothing; the later parts do. A state of an unknown format is an error.
local fixed, shares = 6, nil

-- Returns how long permits granted now can be used without counting in the wrong bucket; -1 without
-- a limit.
local usable = function()
	return -1
end

-- End of a move of this key to or from another place.
local moving = 0

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
			local numbers = type(values[i + 1]) == 'number'
			calls[#calls + 1] = { values[i], numbers and values[i + 1] or 0, time(numbers and values[i + 2] or 0) }
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

local function readable(version)
	if version ~= 1 then
		error('The state of ' .. state .. ' has a format that this version of Sluice does not know')
	end
end

-- Returns the permits used under a rate of another kind or with other terms.
local function usedBefore(raw)
	if type(raw) == 'table' then
		local times = redis.call('LRANGE', state, 0, -1)
		local expires = now + redis.call('PTTL', state) * 1000
		local period = expires - times[#times]
		local used = 0
		while used < #times and times[#times - used] + period > now do
			used = used + 1
		end
		return used
	end
	local version, kind, a, b, c, d = cmsgpack.unpack(raw)
	readable(version)
	if kind == 'M' then
		moving = a
		return 0
	end
	if kind == 'T' then
		return math.ceil(math.max(0, b - (now - a) * 2 ^ d) / fromShort(c))
	end
	local used, length = 0, fromShort(a)
	for i = 1, #c, 2 do
		if (c[i] + b) * length > now then
			used = used + c[i + 1]
		end
	end
	return used
end
