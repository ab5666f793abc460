-- Makes a node interested in a name, or keeps it so, for a time in which the position of the
-- latest message is kept, too, and who is present. Answers that position.
local interest, top, present, node, expiry = KEYS[1], KEYS[2], KEYS[3], ARGV[1], tonumber(ARGV[2])
redis.call('HSETNX', interest, node, '1')
redis.call('PEXPIRE', interest, expiry)
redis.call('PEXPIRE', present, expiry)
local left = redis.call('PTTL', top)
if left >= 0 and left < expiry then redis.call('PEXPIRE', top, expiry) end
return redis.call('GET', top) or ''
