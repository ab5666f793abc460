-- Holders of permits, oldest first: owner, permits, entries, fencing token, and the lease in
-- milliseconds after the time of the token. Also the latest token, 0 if the newest holder has it. A
-- token is the time of its grant, or one more than the latest token. The state expires a lease
-- after the last holding, so that tokens grow even if a promoted replica has a clock that is behind
-- by less than a lease.
--
-- An entry is "node-number", after its call, so that a repeated release has no effect. A call
-- without an owner is its own owner, and its only entry is not stored. The entries of other owners
-- are stored as a text.
--
-- The members of the waiting line are "node.number.permits.owner". The members of one owner share a
-- place, for the number of permits of the first. Place and number are stored by owner while the
-- place has members, so that a call finds its owner in a line of any length. An operation that
-- frees permits grants them to the first members. The state is saved before the node of a member is
-- notified, so a node is notified only of grants that are held. The message has token, space,
-- state, which ends at the only brace, and member. An unreadable holder or member is removed. A
-- member whose place is no time, or that shares a place with another owner, gets the last place.
--
-- Takes: KEYS: 4 places of owners. ARGV: 4 limit, 5 lease, 6 longest line, 7 prefix of the channels
-- of grants; the arguments of the operation from 8 on.
-- Before: "clock" provides the time, "head" evenIfFull and isReadable.
-- Answers: a list of numbers and texts, as the comment of each operation says; "exit", "free" and
-- "leave" 1 or 0, "change" 1; "look" the held permits, the waiters, and owner, permits and token of
-- each holder. If messages of grants could not be published, the last element is a list of channel
-- and message of each.
local owners = KEYS[4]
local limit, lease, longest, granted = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7]
local last, holders, held = 0, {}, 0
local over = false
local messages = {}

-- Channel and message of each grant that could not be published. That does not end an operation, as
-- the grants are saved, and a repeated operation has no effect.
local unsent

if op ~= 'take' and op ~= 'enter' and op ~= 'look' and op ~= 'mine' then
	evenIfFull()
end

local raw = redis.call('GET', state)
if raw then
	local values = unpacked(raw)
	local known = isReadable(values) and values[2] == 'H'
	local packed = known and type(values[4]) == 'table' and values[4] or {}
	last = known and isNumber(values[3], latestTime) and values[3] or 0
	local read = {}
	for i = 1, #packed, 5 do
		local owner, permits, entries, token, left = unpack(packed, i, i + 4)
		if type(owner) == 'string' and isNumber(permits, EXACT) and type(entries) == 'string'
				and isNumber(token, latestTime) and isNumber(left, latestEnd / 1000) then
			read[#read + 1] = { owner, permits, entries, token, token + left * 1000 }
			last = math.max(last, token)
		else
			over = true
		end
	end
	now = math.max(now, last)
	for _, holder in ipairs(read) do
		if holder[5] > now then
			holders[#holders + 1] = holder
			held = held + holder[2]
		else
			over = true
		end
	end
end

local function save()
	local packed, newest, till = {}, 0, now
	for _, holder in ipairs(holders) do
		local token = holder[4]
		newest = math.max(newest, token)
		till = math.max(till, holder[5])
		packed[#packed + 1] = holder[1]
		packed[#packed + 1] = holder[2]
		packed[#packed + 1] = holder[3]
		packed[#packed + 1] = token
		packed[#packed + 1] = math.ceil((holder[5] - token) / 1000)
	end
	redis.call('SET', state, cmsgpack.pack(1, 'H', (newest == last) and 0 or last, packed), 'PX',
		math.ceil((till - now + lease) / 1000))
end

local function find(owner)
	for i, holder in ipairs(holders) do
		if holder[1] == owner then
			return holder, i
		end
	end
end

local function remove(i)
	held = held - holders[i][2]
	table.remove(holders, i)
end

local function add(owner, permits)
	last = math.max(now, last + 1)
	holders[#holders + 1] = { owner, permits, '', last, now + lease }
	held = held + permits
	return last
end

local function enter(holder, entry)
	if entry ~= holder[1] then
		holder[3] = holder[3] .. entry .. ' '
	end
end

-- Removes an entry of an owner. Returns whether the owner had it.
local function leave(owner, entry)
	local holder, i = find(owner)
	if not holder then
		return false
	end
	if owner ~= entry then
		local from, to = string.find(' ' .. holder[3], ' ' .. entry .. ' ', 1, true)
		if not from then
			return false
		end
		holder[3] = string.sub(holder[3], 1, from - 1) .. string.sub(holder[3], to)
	end
	if holder[3] == '' then
		remove(i)
	end
	return true
end

local function parts(member)
	local node, number, permits, owner = string.match(member, '^(%w+)%.(%d+)%.(%d+)%.(.*)$')
	permits = numberIn(permits, EXACT)
	if permits then
		return node, number, permits, owner
	end
end

-- Returns the place of an owner in the line, and its number of permits.
local function placeOf(owner)
	local place, wanted = string.match(redis.call('HGET', owners, owner) or '', '^(%d+) (%d+)$')
	wanted = numberIn(wanted, EXACT)
	local member = wanted and numberIn(place, latestTime)
			and redis.call('ZRANGEBYSCORE', line, place, place, 'LIMIT', 0, 1)[1]
	if member and wanted > 0 and select(4, parts(member)) == owner then
		return place, wanted
	end
end

local function lastPlace()
	local newest = redis.call('ZRANGE', line, -1, -1, 'WITHSCORES')[2]
	return string.format('%.0f', math.max(now, (tonumber(newest) or 0) + 1))
end

-- Adds members at the end of the line, but a member of an owner that has a place at that place.
local function place(members)
	for _, member in ipairs(members) do
		local _, _, permits, owner = parts(member)
		if owner then
			local known = placeOf(owner)
			if not known then
				known = lastPlace()
				if redis.call('HGET', owners, owner) then
					redis.call('HSET', owners, owner, known .. ' ' .. permits)
				end
			end
			redis.call('ZADD', line, known, member)
		end
	end
end

local function placeAnew()
	local misplaced = redis.call('ZRANGEBYSCORE', line, string.format('(%.0f', latestTime), '+inf')
	for _, member in ipairs(misplaced) do
		redis.call('ZREM', line, member)
	end
	place(misplaced)
end

-- Removes a member from the line, and the place of its owner with the last member. Returns whether
-- the line had the member.
local function withdraw(member)
	local place = redis.call('ZSCORE', line, member)
	if not place then
		return false
	end
	redis.call('ZREM', line, member)
	local owner = select(4, parts(member))
	if owner and redis.call('ZCOUNT', line, place, place) == 0 then
		redis.call('HDEL', owners, owner)
	end
	return true
end

-- Returns the first member of the line, and drops members of dead nodes.
local function first()
	while true do
		local member = redis.call('ZRANGE', line, 0, 0)[1]
		if not member then
			redis.call('DEL', nodes)
			return nil
		end
		local node = parts(member)
		local till = node and numberIn(redis.call('HGET', nodes, node), latestEnd)
		if till and till > now then
			return member
		end
		withdraw(member)
	end
end

local function notify()
	for _, message in ipairs(messages) do
		local reply = redis.pcall('PUBLISH', message[1], message[2])
		if type(reply) == 'table' and reply.err then
			unsent = unsent or {}
			unsent[#unsent + 1] = message[1]
			unsent[#unsent + 1] = message[2]
		end
	end
	messages = {}
end

local function answer(reply)
	reply[#reply + 1] = unsent
	return reply
end

-- Grants free permits to the first members of the line. Returns the first member that stays.
local function serve()
	local member = first()
	if member then
		placeAnew()
		member = first()
	end
	while member do
		local _, _, permits, owner = parts(member)
		local _, wanted = placeOf(owner)
		permits = wanted and math.min(wanted, limit) or permits
		local holder = find(owner)
		local more = holder and math.max(0, permits - holder[2]) or permits
		if held + more > limit then
			return member
		end
		local score = redis.call('ZSCORE', line, member)
		local together, others = redis.call('ZRANGEBYSCORE', line, score, score), {}
		if holder then
			holder[2] = holder[2] + more
			held = held + more
		else
			add(owner, permits)
			holder = holders[#holders]
		end
		local token = holder[4]
		for _, each in ipairs(together) do
			local node, number, _, whose = parts(each)
			redis.call('ZREM', line, each)
			if whose == owner then
				enter(holder, node .. '-' .. number)
				messages[#messages + 1] = { granted .. node, string.format('%.0f ', token) .. state .. each }
			else
				others[#others + 1] = each
			end
		end
		redis.call('HDEL', owners, owner)
		place(others)
		member = first()
	end
end

local function settle()
	serve()
	save()
	notify()
end

if over and op ~= 'look' then
	settle()
end

-- Returns 0 and the token if granted; 1 for the limit; 2 for a line; 4 and the permits of the owner
-- if it holds fewer.
local function decide(owner, permits, entry)
	local holder = find(owner)
	if holder then
		if permits > holder[2] then
			return { 4, holder[2] }
		end
		enter(holder, entry)
		holder[5] = math.max(holder[5], now + lease)
		save()
		return { 0, holder[4] }
	end
	if redis.call('EXISTS', line) == 1 and first() then
		return { 2, 0 }
	end
	if held + permits > limit then
		return { 1, 0 }
	end
	local token = add(owner, permits)
	enter(holders[#holders], entry)
	save()
	return { 0, token }
end

-- Returns the microseconds until the first lease expires, or -1.
local function untilFree()
	local till = -1
	for _, holder in ipairs(holders) do
		till = (till < 0) and holder[5] or math.min(till, holder[5])
	end
	return (till < 0) and -1 or till - now
end

local function stay()
	redis.call('HSET', nodes, me, now + lease)
	redis.call('PEXPIRE', nodes, math.ceil(lease / 500))
	redis.call('PEXPIRE', line, math.ceil(lease / 500))
	redis.call('PEXPIRE', owners, math.ceil(lease / 500))
end

if op == 'take' then
	return answer(decide(ARGV[8], tonumber(ARGV[9]), ARGV[10]))
end

-- Returns as decide; 3, the wait until a lease expires, and the time if the call was added to the
-- line; or 5 and the permits that the owner waits for if they are fewer.
if op == 'enter' then
	local member, named = ARGV[8], ARGV[9] == '1'
	local node, number, permits, owner = parts(member)
	local decision = decide(owner, permits, node .. '-' .. number)
	if decision[1] == 0 or decision[1] == 4 then
		return answer(decision)
	end
	local at, wanted
	if named then
		at, wanted = placeOf(owner)
	end
	if at and permits > wanted then
		return answer({ 5, wanted })
	end
	if not at then
		if redis.call('ZCARD', line) >= longest then
			return answer(decision)
		end
		placeAnew()
		at = lastPlace()
		if named then
			redis.call('HSET', owners, owner, at .. ' ' .. permits)
		end
	end
	redis.call('ZADD', line, at, member)
	stay()
	return answer({ 3, untilFree(), now })
end

-- Renews holdings, given as owner and token, and members of the line or their grants. Returns the
-- wait until a lease expires, and the time; the first member of the line if it is of this node,
-- otherwise an empty text; for each holding whether it exists; and for each member its token if
-- granted, 0 if lost, -1 if it waits. If members wait here behind one of another node, notifies that
-- node, which removes its member if no call of it waits.
if op == 'keep' then
	local holds = tonumber(ARGV[8])
	local reply = { 0, now, '' }
	for i = 1, holds do
		local holder = find(ARGV[7 + 2 * i])
		if holder and holder[4] == tonumber(ARGV[8 + 2 * i]) then
			holder[5] = now + lease
			reply[#reply + 1] = 1
		else
			reply[#reply + 1] = 0
		end
	end
	if #ARGV > 8 + 2 * holds then
		stay()
	end
	local member = serve()
	if member and parts(member) == me then
		reply[3] = member
	elseif member and #ARGV > 8 + 2 * holds then
		redis.pcall('PUBLISH', channel .. parts(member), state)
	end
	for i = 9 + 2 * holds, #ARGV do
		local _, _, _, owner = parts(ARGV[i])
		local holder = find(owner)
		if redis.call('ZSCORE', line, ARGV[i]) then
			reply[#reply + 1] = -1
		elseif holder then
			holder[5] = now + lease
			reply[#reply + 1] = holder[4]
		else
			reply[#reply + 1] = 0
		end
	end
	if holds > 0 or raw or #holders > 0 then
		save()
	end
	notify()
	reply[1] = untilFree()
	return answer(reply)
end

if op == 'exit' then
	if not leave(ARGV[8], ARGV[9]) then
		return answer({ 0 })
	end
	settle()
	return answer({ 1 })
end

-- Releases the permits of an owner that were granted at least so many microseconds ago, so that a
-- repeated release does not affect later grants.
if op == 'free' then
	local holder, i = find(ARGV[8])
	if not holder or holder[4] > now - tonumber(ARGV[9]) then
		return answer({ 0 })
	end
	remove(i)
	settle()
	return answer({ 1 })
end

-- Removes a member from the line, or releases its grant if it was served before.
if op == 'leave' then
	local left = withdraw(ARGV[8])
	if not left then
		local node, number, _, owner = parts(ARGV[8])
		left = leave(owner, node .. '-' .. number)
	end
	settle()
	return answer({ left and 1 or 0 })
end

-- Returns 1, and the first member if it is of this node, otherwise an empty text.
if op == 'mine' then
	local member = first()
	return answer({ 1, (member and parts(member) == me) and member or '' })
end

if op == 'change' then
	settle()
	return answer({ 1 })
end

if op == 'look' then
	local reply = { held, redis.call('ZCARD', line) }
	for _, holder in ipairs(holders) do
		reply[#reply + 1] = holder[1]
		reply[#reply + 1] = holder[2]
		reply[#reply + 1] = holder[4]
	end
	return reply
end

error('Unknown operation ' .. op)
