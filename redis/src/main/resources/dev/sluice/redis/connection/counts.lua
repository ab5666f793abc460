-- Adds to the numbers of admitted and rejected calls, and renews their expiry. Returns both.
--
-- Takes: KEYS: counts of a limit. ARGV: admitted, rejected, expiry.
-- Before: nothing.
-- Answers: the numbers of admitted and rejected calls.
local key, admitted, rejected, expiry = KEYS[1], ARGV[1], ARGV[2], ARGV[3]

local function count(field, number)
	if number ~= '0' then
		redis.call('HINCRBY', key, field, number)
	end
end

count('admitted', admitted)
count('rejected', rejected)
redis.call('PEXPIRE', key, expiry)
return { tonumber(redis.call('HGET', key, 'admitted') or 0), tonumber(redis.call('HGET', key, 'rejected') or 0) }
