-- Operations of a rate. The members of the waiting line are "node.number.permits", first come,
-- first served. A member whose node has sent no command for a lease is dropped. The node of the
-- first member takes the permits: it is notified when it becomes the first, and checks again after
-- the wait in the reply. An unreadable member is removed, and one whose place is no time gets the
-- last place.
--
-- Takes: ARGV: the arguments of the operation, after as many as "fixed".
-- Before: "clock" and "head"; and the part of the type of the limit, which provides maxPermits and
-- the functions of a rate.
-- Answers: a list of numbers and texts, as the comment of each operation says; "refund" and
-- "change" 1, or 0 during a move; "forget" and "leave" whether there was something to remove;
-- "look" the used permits, the time until idle, the waiters, the wait of a new call, and the
-- maximum. Operations that return permits add 1 if a node could not be notified.
local changed = load()

-- Maximum number of waiters that are read to compute the wait of a new one.
local seen = 100

if op == 'undo' or op == 'refund' or op == 'forget' or op == 'arrive' then
	evenIfFull()
end

if moving > now then
	if op == 'refund' or op == 'undo' or op == 'forget' or op == 'change' then
		return { 0 }
	end
elseif changed and op ~= 'look' then
	save()
end

local function argument(i)
	return ARGV[fixed + i]
end

local function isAvailable(n)
	return n <= maxPermits and waitFor(n, now) == 0
end

-- Returns how many of a number of calls of one size can be served.
local function servable(size, count)
	local low, high = 0, count
	if size * count <= maxPermits and isAvailable(size * count) then
		return count
	end
	while low + 1 < high do
		local middle = math.floor((low + high) / 2)
		if isAvailable(size * middle) then
			low = middle
		else
			high = middle
		end
	end
	return low
end

-- Takes permits for concurrent calls of a node, first come, first served. If all are served,
-- prefetches permits for later calls, at most as many as remain available. Returns 0 and the time.
-- Unless all are served and none is prefetched, the reply continues with the number of calls
-- served, the wait of the others, the number of prefetched permits, and how long those can be used.
local function takeFor(size, count, ahead, id, unheard)
	local served, asked = servable(size, count), size * count + ahead
	if served < count then
		ahead = 0
	end
	while ahead > 0 and not isAvailable(size * count + 2 * ahead) do
		ahead = math.floor(ahead / 2)
	end
	if served > 0 then
		take(size * served + ahead, now)
		note(id, asked - size * served - ahead, unheard)
		save()
	end
	if served == count and ahead == 0 then
		return { 0, now }
	end
	return { 0, now, served, (served < count) and waitFor(size, now) or 0, ahead, (ahead > 0) and usable() or 0 }
end

-- Nearly all calls end here.
if op == 'take' and moving <= now and redis.call('EXISTS', line) == 0 then
	return takeFor(tonumber(argument(1)), tonumber(argument(2)), tonumber(argument(3)), argument(4), argument(5))
end

-- Error of a message that was not sent. It does not end an operation, as the reply may have members,
-- which would have to enter the line again, at its end, or as the operation must not be repeated.
local unsent

local function call(node, place)
	local reply = redis.pcall('PUBLISH', channel .. node, place or state)
	if type(reply) == 'table' and reply.err then
		unsent = reply
	end
end

local function lastPlace()
	local last = redis.call('ZRANGE', line, -1, -1, 'WITHSCORES')
	return math.max(now, (tonumber(last[2]) or 0) + 1)
end

local misplaced = redis.call('ZRANGEBYSCORE', line, string.format('(%.0f', latestTime), '+inf')
for _, member in ipairs(misplaced) do
	redis.call('ZREM', line, member)
end
for _, member in ipairs(misplaced) do
	redis.call('ZADD', line, lastPlace(), member)
end

-- Returns the first in line and its node.
local function first()
	local dropped = false
	while true do
		local member = redis.call('ZRANGE', line, 0, 0)[1]
		if not member then
			redis.call('DEL', nodes)
			return nil
		end
		local node = string.match(member, '^(%w+)%.%d+%.%d+$')
		local till = node and numberIn(redis.call('HGET', nodes, node), latestEnd)
		if till and till > now then
			if dropped then
				call(node)
			end
			return member, node
		end
		redis.call('ZREM', line, member)
		dropped = true
	end
end

-- Returns the permits of a member, more than any limit has if it is unreadable.
local function permits(member)
	return numberIn(string.match(member, '^%w+%.%d+%.(%d+)$'), EXACT) or math.huge
end

-- Returns the wait of a new call if all waiters stay. The state must not be saved afterwards. If
-- there are more waiters than are read, each of the others counts as one permit, and the result is
-- a lower bound.
local function waitBehindQueue(n)
	local t, ahead = now, redis.call('ZRANGE', line, 0, seen - 1)
	for _, member in ipairs(ahead) do
		if permits(member) <= maxPermits then
			t = t + waitFor(permits(member), t)
			take(permits(member), t)
		end
	end
	local unseen = redis.call('ZCARD', line) - #ahead
	return t + ((unseen == 0) and waitFor(n, t) or lowerBound(unseen + n, t)) - now
end

local function notifyFirst()
	local member, node = first()
	if member then
		call(node)
	end
end

-- Notifies the nodes whose waiters may be served after permits were returned.
local function notifyAll()
	notifyFirst()
	if shares then
		shares.call(call)
	end
end

-- Returns an answer of one number, or that number and 1 if a node could not be notified.
local function returned(number)
	return { number, unsent and 1 }
end

-- Returns 0 and the time if permits were taken; otherwise the reason, 1 for the limit or 2 for a
-- line, and the wait.
local function decide(n, id, unheard)
	if redis.call('EXISTS', line) == 1 and first() then
		return { 2, math.max(moving - now, waitBehindQueue(n)) }
	end
	local wait = math.max(moving - now, waitFor(n, now))
	if wait > 0 then
		return { 1, wait }
	end
	take(n, now)
	note(id, 0, unheard)
	save()
	return { 0, now }
end

local function renewLease(node, lease)
	redis.call('HSET', nodes, node, now + lease)
	redis.call('PEXPIRE', nodes, math.ceil(lease / 500))
	redis.call('PEXPIRE', line, math.ceil(lease / 500))
end

local function stay(lease)
	renewLease(me, lease)
	if shares then
		shares.stay(now + lease, lease)
	end
end

-- As in takeFor, or 2, the time, 0 calls served and the wait if there is a line.
if op == 'take' then
	local size = tonumber(argument(1))
	if first() then
		return { 2, now, 0, math.max(moving - now, waitBehindQueue(size)), 0, 0 }
	end
	if moving > now then
		return { 0, now, 0, math.max(moving - now, waitFor(size, now)), 0, 0 }
	end
	return takeFor(size, tonumber(argument(2)), tonumber(argument(3)), argument(4), argument(5))
end

-- Returns as decide, or 3, the wait and the place if the call was added to the line.
if op == 'enter' then
	local member = argument(1)
	local longest, waiting, lease = tonumber(argument(2)), tonumber(argument(3)), tonumber(argument(4))
	local decision = decide(permits(member), argument(5), argument(6))
	if decision[1] == 0 or longest >= 0 and decision[2] > longest or redis.call('ZCARD', line) >= waiting then
		return decision
	end
	local place = lastPlace()
	redis.call('ZADD', line, place, member)
	stay(lease)
	return { 3, (decision[1] == 1) and decision[2] or -1, place }
end

-- Returns the wait until the next attempt, -1 if another node is first, or -2 if that could not be
-- notified; the time; the first member that stays if it is of this node, otherwise an empty text; and
-- the served members. The first node is notified in any case, as it may have missed its turn.
if op == 'serve' then
	stay(tonumber(argument(1)))
	local reply, taken = { -1, now, '' }, 0
	local member, node = first()
	while member and node == me and permits(member) <= maxPermits do
		local wait = math.max(moving - now, waitFor(permits(member), now))
		if wait > 0 then
			reply[1] = wait
			break
		end
		take(permits(member), now)
		taken = taken + permits(member)
		redis.call('ZREM', line, member)
		reply[#reply + 1] = member
		member, node = first()
	end
	if taken > 0 then
		note(argument(2), -taken, argument(3))
		save()
	end
	if member and node == me then
		reply[3] = member
	elseif member then
		call(node)
	end
	if unsent and reply[1] < 0 then
		reply[1] = -2
	end
	return reply
end

-- Returns 1, and the first member if it is of this node, otherwise an empty text.
if op == 'mine' then
	local member, node = first()
	return { 1, (node == me) and member or '' }
end

-- Notifies the nodes whose waiters may be served. The reply is an error if that fails.
if op == 'call' then
	notifyAll()
	return unsent or { 1 }
end

if op == 'leave' then
	local left = redis.call('ZREM', line, argument(1))
	notifyFirst()
	return unsent or { left }
end

-- Adds waiters of a node that are not in the line, in the places that they had. One without a place
-- gets the last.
local function stand(from)
	for i = fixed + from, #ARGV, 2 do
		if not redis.call('ZSCORE', line, ARGV[i]) then
			local place = numberIn(ARGV[i + 1], latestTime)
			redis.call('ZADD', line, (place and place > 0) and place or lastPlace(), ARGV[i])
		end
	end
end

-- Undoes a call whose reply was lost, given its number of permits: returns the granted permits,
-- removes its member from the line, if it has one, and adds the waiters that it has served, if the
-- call has arrived. The waiters stand for the lease before them; the line may have ended.
if op == 'undo' then
	local id, asked, left = argument(1), tonumber(argument(2)), 0
	if argument(3) and argument(3) ~= '' then
		left = redis.call('ZREM', line, argument(3))
	end
	for i, noted in ipairs(calls) do
		if noted[1] == id then
			table.remove(calls, i)
			refund(asked - noted[2], noted[3])
			save()
			if argument(4) then
				stand(5)
				stay(tonumber(argument(4)))
			end
			left = 1
			break
		end
	end
	if left == 1 then
		notifyAll()
	end
	return returned(left)
end

if op == 'refund' then
	refund(tonumber(argument(1)), tonumber(argument(2)))
	save()
	notifyAll()
	return returned(1)
end

if op == 'forget' then
	local forgotten = (used(now) > 0) and 1 or 0
	if shares then
		shares.forget()
	else
		redis.call('DEL', state)
	end
	notifyAll()
	return returned(forgotten)
end

-- Converts the state to the format and the expiry of a changed limit.
if op == 'change' then
	save()
	return { 1 }
end

-- Adds the used permits and the waiters of the old place.
if op == 'arrive' then
	local used, lease = tonumber(argument(1)), tonumber(argument(2))
	take(used, now)
	save()
	for i = fixed + 3, #ARGV, 2 do
		redis.call('ZADD', line, 'LT', ARGV[i + 1], ARGV[i])
		renewLease(string.match(ARGV[i], '^%w*'), lease)
	end
	notifyFirst()
	return returned(1)
end

if op == 'arrived' then
	shares.arrived(call)
	return returned(1)
end

-- Adds the waiters of a node that are not in this line yet, or not any more.
if op == 'stand' then
	stand(2)
	stay(tonumber(argument(1)))
	return { 1 }
end

if op == 'look' then
	local reply = { used(now), idle(now), redis.call('ZCARD', line) }
	reply[5] = shares and shares.mine() or maxPermits
	reply[4] = (reply[3] > 0) and waitBehindQueue(1) or waitFor(1, now)
	return reply
end

error('Unknown operation ' .. op)
