-- How many permits were granted in which bucket of the clock, oldest first; a fixed window is one bucket
-- long. Expires when the newest bucket has left the window.
local limit, length, buckets = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local most = limit
local counts = {}

local function bucket(t)
	return (t - t % length) / length
end

local function take(n, t)
	local latest = bucket(t)
	local kept = {}
	for i = 1, #counts, 2 do
		if counts[i] + buckets > latest then
			kept[#kept + 1] = counts[i]
			kept[#kept + 1] = counts[i + 1]
		end
	end
	counts = kept
	if counts[#counts - 1] == latest then
		counts[#counts] = counts[#counts] + n
	elseif n > 0 then
		counts[#counts + 1] = latest
		counts[#counts + 1] = n
	end
end

local function load()
	local raw = redis.pcall('GET', state)
	if not raw then
		return false
	end
	if type(raw) == 'string' then
		local version, kind, oldLength, _, old = cmsgpack.unpack(raw)
		readable(version)
		if kind == 'W' and oldLength == length then
			counts = old
			now = math.max(now, counts[#counts - 1] * length)
			return false
		end
	end
	take(usedBefore(raw), now)
	return true
end

local function used(t)
	local latest = bucket(t)
	local sum = 0
	for i = 1, #counts, 2 do
		if counts[i] + buckets > latest then
			sum = sum + counts[i + 1]
		end
	end
	return sum
end

local function earliest(n, t)
	local excess = used(t) + n - limit
	local wait = 0
	for i = 1, #counts, 2 do
		local leaves = (counts[i] + buckets) * length
		if excess > 0 and leaves > t then
			excess = excess - counts[i + 1]
			wait = leaves - t
		end
	end
	return wait
end

local function idle(t)
	return (used(t) == 0) and 0 or (counts[#counts - 1] + buckets) * length - t
end

local function save()
	if #counts == 0 then
		redis.call('DEL', state)
	else
		local expires = (counts[#counts - 1] + buckets) * length - now
		redis.call('SET', state, cmsgpack.pack(1, 'W', length, buckets, counts), 'PX', math.ceil(expires / 1000) + 1)
	end
end

local function refund(n, t)
	local kept = {}
	for i = 1, #counts, 2 do
		local count = counts[i + 1]
		if counts[i] == bucket(t) then
			count = math.max(0, count - n)
		end
		if count > 0 then
			kept[#kept + 1] = counts[i]
			kept[#kept + 1] = count
		end
	end
	counts = kept
end
