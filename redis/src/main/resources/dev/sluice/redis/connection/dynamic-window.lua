-- Permits of one key of a dynamic window by bucket of the clock, and permits of all keys ("total").
-- A key is active until its newest bucket has left the window ("ends"). Each active key has an
-- equal share of the capacity. The remainder goes, one permit each, to the keys that have been
-- active longest ("since").
--
-- Takes: KEYS: 4 permits of all keys, 5 active since, 6 ends, 7 nodes that wait for any key. ARGV:
-- 4 limit, 7 capacity, 8 minimum, 9 key.
-- Before: "clock", "head" and "buckets".
-- Answers: nothing; it provides the functions of a rate, and of shares, to "rate".
local limit, capacity, minPermits, key = tonumber(ARGV[4]), tonumber(ARGV[7]), tonumber(ARGV[8]), ARGV[9]
local maxPermits = limit
local total, since, ends, waiting = KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local counts, all, newcomer, ended = {}, {}, false, 0
fixed = 9

local function take(n, t)
	newcomer = newcomer or n > 0 and sum(counts, t) == 0
	counts = added(counts, n, t)
	all = added(all, n, t)
end

-- Returns the end of the activity of a key, 0 if it has none.
local function endOf(other)
	return numberIn(redis.call('ZSCORE', ends, other), latestEnd) or 0
end

local function load()
	local changed, changedAll
	all, changedAll = countsIn(total)
	calls = {}
	counts, changed = countsIn(state)
	for _, idle in ipairs(redis.call('ZRANGEBYSCORE', ends, '-inf', now)) do
		redis.call('ZREM', ends, idle)
		redis.call('ZREM', since, idle)
	end
	ended = endOf(key)
	moving = math.max(moving, numberIn(redis.call('HGET', waiting, ''), now + longestMove) or 0)
	return changed or changedAll
end

local function used(t)
	return sum(counts, t)
end

-- Returns the number of other keys that are active at a time, without new ones.
local function others(t)
	local number = redis.call('ZCOUNT', ends, string.format('(%.0f', t), latestEnd)
	return (ended > t) and number - 1 or number
end

-- Ends of the keys that became active before this one, ascending; read on demand.
local earlier

-- Returns how many keys that became active before this one are active at a time.
local function before(t)
	local rank = not newcomer and redis.call('ZRANK', since, key)
	if not rank then
		return others(t)
	end
	if t == now or rank == 0 then
		return rank
	end
	if not earlier then
		earlier = {}
		for i, other in ipairs(redis.call('ZRANGE', since, 0, rank - 1)) do
			earlier[i] = endOf(other)
		end
		table.sort(earlier)
	end
	local low, high = 1, #earlier + 1
	while low < high do
		local middle = math.floor((low + high) / 2)
		if earlier[middle] > t then
			high = middle
		else
			low = middle + 1
		end
	end
	return #earlier + 1 - low
end

local function within(share)
	return math.max(minPermits, math.min(share, limit))
end

-- Returns whether n permits fit at a time, given the permits used by the key and by all keys.
local function fits(n, t, mine, ours)
	if ours + n > capacity then
		return false
	end
	local keys = others(t) + 1
	local even = math.floor(capacity / keys)
	if mine + n <= within(even) then
		return mine > 0 or even >= minPermits
	end
	return mine > 0 and mine + n <= within(even + 1) and before(t) < capacity % keys
end

local function waitFor(n, t)
	local mine, ours = sum(counts, t), sum(all, t)
	if fits(n, t, mine, ours) then
		return 0
	end
	local next = 1
	for i = 1, #all, 2 do
		local time = leaves(all[i])
		if time > t then
			ours = ours - all[i + 1]
			while counts[next] and counts[next] <= all[i] do
				mine = mine - ((leaves(counts[next]) > t) and counts[next + 1] or 0)
				next = next + 2
			end
			if fits(n, time, mine, ours) then
				return time - t
			end
		end
	end
	return leaves(bucket(t)) - t
end

-- Returns a lower bound of the wait for n permits one after the other, regardless of the shares.
local function lowerBound(n, t)
	local windows = math.floor((n - 1) / limit)
	return (windows == 0) and waitFor(1, t) or leaves(bucket(t)) + (windows - 1) * buckets * length - t
end

local function idle(t)
	return (used(t) == 0) and 0 or leaves(counts[#counts - 1]) - t
end

local function save()
	keepWithCalls(state, counts)
	keep(total, all)
	if used(now) == 0 then
		redis.call('ZREM', ends, key)
		redis.call('ZREM', since, key)
	elseif leaves(counts[#counts - 1]) == ended then
		return
	else
		redis.call('ZADD', ends, leaves(counts[#counts - 1]), key)
		if newcomer then
			redis.call('ZREMRANGEBYSCORE', since, string.format('(%.0f', latestTime), '+inf')
			local last = redis.call('ZRANGE', since, -1, -1, 'WITHSCORES')[2]
			redis.call('ZADD', since, math.max(now, (tonumber(last) or 0) + 1), key)
			newcomer = false
		end
	end
	redis.call('ZREMRANGEBYSCORE', ends, string.format('(%.0f', latestEnd), '+inf')
	local last = redis.call('ZRANGE', ends, -1, -1, 'WITHSCORES')[2]
	if last then
		local expires = math.ceil((tonumber(last) - now) / 1000) + 1
		redis.call('PEXPIRE', ends, expires)
		redis.call('PEXPIRE', since, expires)
	end
end

local function refund(n, t)
	local gone
	counts, gone = without(counts, n, bucket(t))
	all = without(all, gone, bucket(t))
end

shares = {}

function shares.forget()
	for i = 1, #counts, 2 do
		all = without(all, counts[i + 1], counts[i])
	end
	counts = {}
	save()
end

function shares.stay(till, lease)
	redis.call('HSET', waiting, me, till)
	redis.call('PEXPIRE', waiting, math.ceil(lease / 500))
end

-- Permits returned by one key may serve waiters of other keys: notifies the nodes that wait for any
-- key.
function shares.call(notify)
	local waits = redis.call('HGETALL', waiting)
	for i = 1, #waits, 2 do
		if (numberIn(waits[i + 1], latestEnd) or 0) <= now then
			redis.call('HDEL', waiting, waits[i])
		elseif waits[i] ~= '' then
			notify(waits[i], total)
		end
	end
end

function shares.arrived(notify)
	redis.call('HDEL', waiting, '')
	shares.call(notify)
end

-- Returns the number of permits that the key may use now.
function shares.mine()
	local keys = others(now) + 1
	local even = math.floor(capacity / keys)
	if used(now) == 0 then
		return (even < minPermits) and 0 or within(even)
	end
	return within((before(now) < capacity % keys) and even + 1 or even)
end
