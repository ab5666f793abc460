-- The time that the bucket needs to fill, in fractions of a microsecond, and the time of that
-- value. Expires when the bucket is full.
--
-- Takes: ARGV: 4 capacity, 5 cost of a permit, 6 shift of the scale.
-- Before: "clock" and "head" provide the time, the state and the calls.
-- Answers: nothing; it provides the functions of a rate to "rate".
local maxPermits, cost, shift = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local scale = 2 ^ shift
local fill = maxPermits * cost
local since, spent = now, 0

local function spentAt(t)
	return math.max(0, spent - (t - since) * scale)
end

local function take(n, t)
	spent = spentAt(t) + n * cost
	since = t
end

local function load()
	local raw = redis.pcall('GET', state)
	if not raw then
		return false
	end
	if type(raw) == 'string' then
		local values = unpacked(raw)
		local _, kind, oldSince, oldSpent, oldCost, oldShift = unpack(values, 1, 6)
		if isReadable(values) and kind == 'T' and isNumber(oldSince, latestTime) then
			now = math.max(now, oldSince)
			if oldCost == toShort(cost) and oldShift == shift and isNumber(oldSpent, EXACT * scale) then
				readCalls(values, 7, function(age)
					return oldSince - age
				end)
				since = oldSince
				spent = oldSpent
				return false
			end
		end
	end
	take(usedBefore(raw, state), now)
	return true
end

local function waitFor(n, t)
	return math.max(0, math.ceil((spentAt(t) + n * cost - fill) / scale))
end

-- Returns the wait for n permits one after the other, which may exceed the capacity.
local lowerBound = waitFor

local function used(t)
	return math.ceil(spentAt(t) / cost)
end

local function idle(t)
	return math.ceil(spentAt(t) / scale)
end

local function save()
	local full = idle(now)
	if full == 0 then
		redis.call('DEL', state)
	else
		local packed = cmsgpack.pack(1, 'T', since, spent, toShort(cost), shift, writeCalls(function(time)
			return since - time
		end))
		redis.call('SET', state, packed, 'PX', math.ceil(full / 1000) + 1)
	end
end

-- Permits that would have overflowed by now if they had not been taken are not returned.
local function refund(n, t)
	spent = math.max(0, spentAt(now) - math.max(0, n * cost - (now - t) * scale))
	since = now
end
