-- Renews the lease of a node, and sends it a probe by the way that messages go. Answers
-- 1, or 0 if its lease had ended, then each node and for how many milliseconds it still lives.
local nodes, me, lease, channel, probe = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4]
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

redis.call('ZREMRANGEBYSCORE', nodes, '-inf', now)
local known = redis.call('ZSCORE', nodes, me)
if lease > 0 then
	redis.call('ZADD', nodes, now + lease, me)
	redis.call('PUBLISH', channel, probe)
else
	redis.call('ZREM', nodes, me)
end
local reply = { known and 1 or 0 }
local alive = redis.call('ZRANGE', nodes, 0, -1, 'WITHSCORES')
for i = 1, #alive, 2 do
	reply[#reply + 1] = alive[i]
	reply[#reply + 1] = string.format('%.0f', alive[i + 1] - now)
end
if #alive > 0 then redis.call('PEXPIREAT', nodes, alive[#alive]) end
return reply
