-- Which nodes live, and until when they are believed to, in milliseconds. Answers how many do.
local key, me, expiry = KEYS[1], ARGV[1], tonumber(ARGV[2])
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

-- First what a server without memory rejects: it rejects nothing once a script has written.
if expiry > 0 then
	redis.call('ZADD', key, now + expiry, me)
	redis.call('PEXPIRE', key, expiry)
else
	redis.call('ZREM', key, me)
end
redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
return redis.call('ZCARD', key)
