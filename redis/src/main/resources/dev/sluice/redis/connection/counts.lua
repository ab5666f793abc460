-- Adds to what was admitted and rejected, and lets both go if nobody does so for long. Answers both.
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
