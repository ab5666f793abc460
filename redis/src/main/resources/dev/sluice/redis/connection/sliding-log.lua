-- List of the times of the permits, oldest first. A permit counts for a period, and the list
-- expires with the newest. Calls have their own key, which expires after a minute.
--
-- Takes: KEYS: 4 calls. ARGV: 4 limit, 5 period.
-- Before: "clock" and "head" provide the time, the state and the calls.
-- Answers: nothing; it provides the functions of a rate (load, take, waitFor, lowerBound, used,
-- idle, save, refund) to "rate".
local limit, period = tonumber(ARGV[4]), tonumber(ARGV[5])
local recent, minute = KEYS[4], 60000
local maxPermits = limit
local size, added, replaces, unreadable = 0, {}, false, false

-- Returns the time of a permit, 0 if it is unreadable.
local function at(i)
	if i < size then
		local time = numberIn(redis.call('LINDEX', state, i), latestTime)
		unreadable = unreadable or not time
		return time or 0
	end
	return added[i - size + 1]
end

local function removeUnreadable()
	local times = redis.call('LRANGE', state, 0, -1)
	redis.call('DEL', state)
	size = 0
	for _, time in ipairs(times) do
		if numberIn(time, latestTime) then
			redis.call('RPUSH', state, time)
			size = size + 1
		end
	end
	redis.call('PEXPIRE', state, math.ceil(period / 1000) + 1)
	unreadable = false
end

local function take(n, t)
	for _ = 1, n do
		added[#added + 1] = t
	end
end

local function load()
	local length = redis.pcall('LLEN', state)
	if type(length) == 'table' then
		replaces = true
		take(usedBefore(redis.call('GET', state), state), now)
		return true
	end
	size = length
	local raw = redis.call('GET', recent)
	if raw then
		readCalls(unpacked(raw), 1, function(time)
			return time
		end)
	end
	if size > 0 then
		now = math.max(now, at(size - 1))
	end
	if unreadable then
		removeUnreadable()
	end
	return false
end

local function waitFor(n, t)
	local excess = size + #added + n - limit
	local wait = (excess <= 0) and 0 or math.max(0, at(excess - 1) + period - t)
	if unreadable then
		removeUnreadable()
		return waitFor(n, t)
	end
	return wait
end

-- Returns the wait for n permits one after the other, which may exceed the limit.
local function lowerBound(n, t)
	local periods = math.floor((n - 1) / limit)
	return waitFor(n - periods * limit, t) + periods * period
end

local function used(t)
	local low, high = 0, size + #added
	local total = high
	while low < high do
		local middle = math.floor((low + high) / 2)
		if at(middle) + period > t then
			high = middle
		else
			low = middle + 1
		end
	end
	if unreadable then
		removeUnreadable()
		return used(t)
	end
	return total - low
end

local function idle(t)
	local total = size + #added
	return (total == 0) and 0 or math.max(0, at(total - 1) + period - t)
end

local function save()
	if replaces then
		redis.call('DEL', state)
		replaces = false
	end
	for _ = 0, #added do
		local oldest = (size > 0) and at(0)
		if not oldest or oldest + period > now then
			break
		end
		redis.call('LPOP', state)
		size = size - 1
	end
	for i = 1, #added, 1000 do
		redis.call('RPUSH', state, unpack(added, i, math.min(i + 999, #added)))
	end
	size = size + #added
	added = {}
	if #calls == 0 then
		redis.call('DEL', recent)
	else
		redis.call('SET', recent, cmsgpack.pack(writeCalls(function(time)
			return time
		end)), 'PX', minute)
	end
	if size > 0 then
		redis.call('PEXPIRE', state, math.ceil(idle(now) / 1000) + 1)
	end
end

local function refund(n, t)
	redis.call('LREM', state, -n, t)
	size = redis.call('LLEN', state)
end
