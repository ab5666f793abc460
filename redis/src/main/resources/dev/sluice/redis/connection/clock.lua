-- Start of all scripts of limits. Times are microseconds of the server's clock. If a promoted
-- replica has a clock that is behind, the latest time in the state applies. Values that another
-- program has written are unreadable, and treated as absent. So is a time that is more than a day
-- ahead of the clock, and an end of a lease or a window that is more than 20,000 days ahead.
--
-- Takes: KEYS: state, waiting line, nodes of the waiting calls. ARGV: operation, prefix of the
-- channels of nodes, this node; the numbers of the limit and the arguments of the operation follow.
-- Before: nothing.
-- Answers: nothing; the later parts do.
local state, line, nodes = KEYS[1], KEYS[2], KEYS[3]
local op, channel, me = ARGV[1], ARGV[2], ARGV[3]
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local EXACT, latestTime, latestEnd = 2 ^ 53, now + 86400000000, now + 1728000000000000

-- Returns whether a value is a number from 0 to a maximum, which no infinite number is.
local function isNumber(value, most)
	return type(value) == 'number' and value >= 0 and value <= most
end

local function listed(ok, ...)
	return ok and { ... } or {}
end

-- Returns whether counts are readable: ascending buckets of a length, each followed by its permits.
local function isCounts(counts, length)
	if type(counts) ~= 'table' or #counts % 2 == 1 then
		return false
	end
	local latest = 0
	for i = 1, #counts, 2 do
		if not isNumber(counts[i], latestTime / length) or counts[i] < latest or not isNumber(counts[i + 1], EXACT) then
			return false
		end
		latest = counts[i]
	end
	return true
end

-- Returns the values of a packed text, none if it is unreadable.
local function unpacked(raw)
	return listed(pcall(cmsgpack.unpack, raw))
end

-- A long time in whole seconds is stored as negative seconds, which takes fewer bytes.
local function toShort(micros)
	return (micros >= 2 ^ 32 and micros % 1000000 == 0) and -micros / 1000000 or micros
end
