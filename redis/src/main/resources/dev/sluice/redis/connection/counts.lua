-- Adds to the numbers of admitted and rejected calls, and renews their expiry. Returns both. A number
-- that is unreadable counts from 0.
--
-- Takes: KEYS: counts of a limit. ARGV: admitted, rejected, expiry.
-- Before: "types".
-- Answers: the numbers of admitted and rejected calls.
local key, admitted, rejected, expiry = KEYS[1], ARGV[1], ARGV[2], ARGV[3]

local function count(field, number)
	if number ~= '0' then
		local reply = redis.pcall('HINCRBY', key, field, number)
		if type(reply) == 'table' and reply.err then
			if string.find(reply.err, 'integer', 1, true) or string.find(reply.err, 'overflow', 1, true) then
				redis.call('HDEL', key, field)
			end
			redis.call('HINCRBY', key, field, number)
		end
	end
end

count('admitted', admitted)
count('rejected', rejected)
redis.call('PEXPIRE', key, expiry)

local function counted(field)
	return tonumber(string.match(redis.call('HGET', key, field) or '', '^%d+$') or 0)
end

return { counted('admitted'), counted('rejected') }
