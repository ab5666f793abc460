-- Counts of permits by the bucket of the clock in which they were granted: alternating bucket and
-- permits, oldest first.
--
-- Takes: ARGV: 5 length of a bucket, 6 buckets.
-- Before: "clock" and "head" provide the time, the calls and usedBefore.
-- Answers: nothing; it provides the counts by bucket to "window" and "dynamic-window".
local length, buckets = tonumber(ARGV[5]), tonumber(ARGV[6])

local function bucket(t)
	return (t - t % length) / length
end

usable = function()
	return (bucket(now) + 1) * length - now
end

-- Returns the time at which a bucket leaves the window.
local function leaves(from)
	return (from + buckets) * length
end

local function sum(counts, t)
	local total = 0
	for i = 1, #counts, 2 do
		if leaves(counts[i]) > t then
			total = total + counts[i + 1]
		end
	end
	return total
end

-- Returns the counts within the window at a time, with permits added to the bucket of that time.
local function added(counts, n, t)
	local latest = bucket(t)
	if counts[#counts - 1] == latest and counts[1] + buckets > latest then
		counts[#counts] = counts[#counts] + n
		return counts
	end
	local kept = {}
	for i = 1, #counts, 2 do
		if counts[i] + buckets > latest then
			kept[#kept + 1] = counts[i]
			kept[#kept + 1] = counts[i + 1]
		end
	end
	if kept[#kept - 1] == latest then
		kept[#kept] = kept[#kept] + n
	elseif n > 0 then
		kept[#kept + 1] = latest
		kept[#kept + 1] = n
	end
	return kept
end

-- Removes up to n permits from a bucket. Returns the counts and the number of removed permits.
local function without(counts, n, from)
	local kept, gone = {}, 0
	for i = 1, #counts, 2 do
		local count = counts[i + 1]
		if counts[i] == from then
			gone = math.min(n, count)
			count = count - gone
		end
		if count > 0 then
			kept[#kept + 1] = counts[i]
			kept[#kept + 1] = count
		end
	end
	return kept, gone
end

-- Reads counts from a key. Returns them, and whether they were converted to this format. Also reads
-- the calls, with the bucket of each as its time.
local function countsIn(key)
	local raw = redis.pcall('GET', key)
	if not raw then
		return {}, false
	end
	if type(raw) == 'string' then
		local values = unpacked(raw)
		local _, kind, oldLength, _, counts = unpack(values, 1, 5)
		if isReadable(values) and kind == 'W' and oldLength == toShort(length) and isCounts(counts, length) then
			local newest = counts[#counts - 1] or 0
			now = math.max(now, newest * length)
			readCalls(values, 6, function(age)
				return (newest - age) * length
			end)
			return counts, false
		end
	end
	return added({}, usedBefore(raw, key), now), true
end

local function keep(key, counts, ...)
	if sum(counts, now) == 0 then
		redis.call('DEL', key)
	else
		local expires = leaves(counts[#counts - 1]) - now
		local packed = cmsgpack.pack(1, 'W', toShort(length), buckets, counts, ...)
		redis.call('SET', key, packed, 'PX', math.ceil(expires / 1000) + 1)
	end
end

-- Also writes the calls.
local function keepWithCalls(key, counts)
	local newest = counts[#counts - 1] or 0
	keep(key, counts, writeCalls(function(time)
		return newest - bucket(time)
	end))
end
