-- Permits by bucket of the clock; a fixed window has one bucket. Expires when the newest bucket has
-- left the window.
--
-- Takes: ARGV: 4 limit.
-- Before: "clock", "head" and "buckets", which has the length and the number of buckets.
-- Answers: nothing; it provides the functions of a rate to "rate".
local limit = tonumber(ARGV[4])
local maxPermits = limit
local counts = {}

local function take(n, t)
	counts = added(counts, n, t)
end

local function load()
	local changed
	counts, changed = countsIn(state)
	return changed
end

local function used(t)
	return sum(counts, t)
end

local function waitFor(n, t)
	local excess = used(t) + n - limit
	local wait = 0
	for i = 1, #counts, 2 do
		local time = leaves(counts[i])
		if excess > 0 and time > t then
			excess = excess - counts[i + 1]
			wait = time - t
		end
	end
	return wait
end

-- Returns the wait for n permits one after the other, which may exceed the limit.
local function lowerBound(n, t)
	local windows = math.floor((n - 1) / limit)
	local wait = waitFor(n - windows * limit, t)
	return (windows == 0) and wait or leaves(bucket(t + wait)) + (windows - 1) * buckets * length - t
end

local function idle(t)
	return (used(t) == 0) and 0 or leaves(counts[#counts - 1]) - t
end

local function save()
	keepWithCalls(state, counts)
end

local function refund(n, t)
	counts = without(counts, n, bucket(t))
end
