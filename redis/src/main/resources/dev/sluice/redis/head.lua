-- What all scripts of rates begin with. Times are microseconds of the server's clock; should another
-- server take over whose clock is behind, the latest time that the state knows holds.
local state, line, nodes = KEYS[1], KEYS[2], KEYS[3]
local op, channel, me = ARGV[1], ARGV[2], ARGV[3]
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]

-- How many arguments come before those of the operation; and what keys do that share something.
local fixed, shares = 6, nil

-- For how long what is granted now may be used without being counted in the wrong bucket; -1 for ever.
local usable = function()
	return -1
end

-- Until when what was used is on its way here from another place, or from here.
local moving = 0

local function readable(version)
	if version ~= 1 then
		error('The state of ' .. state .. ' has a format that this version of Sluice does not know')
	end
end

-- Returns what was used under a rate of another kind, or of other numbers.
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
		return math.ceil(math.max(0, b - (now - a) * 2 ^ d) / c)
	end
	local used = 0
	for i = 1, #c, 2 do
		if (c[i] + b) * a > now then
			used = used + c[i + 1]
		end
	end
	return used
end
