-- What all scripts of limits begin with. Times are microseconds of the server's clock; should another
-- server take over whose clock is behind, the latest time that the state knows holds.
local state, line, nodes = KEYS[1], KEYS[2], KEYS[3]
local op, channel, me = ARGV[1], ARGV[2], ARGV[3]
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]

-- A long time of whole seconds is kept as those, and negative, as that takes fewer bytes.
local function toShort(micros)
	return (micros >= 2 ^ 32 and micros % 1000000 == 0) and -micros / 1000000 or micros
end

-- Has a server without memory run the rest of the script: it rejects no command once a script has written.
-- For operations that need no more memory than they free, so that permits are released and renewed then, too.
local function evenIfFull()
	redis.call('ZREM', line, '')
end
