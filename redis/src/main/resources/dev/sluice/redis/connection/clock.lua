-- Start of all scripts of limits. Times are microseconds of the server's clock. If a promoted
-- replica has a clock that is behind, the latest time in the state applies.
--
-- Takes: KEYS: state, waiting line, nodes of the waiting calls. ARGV: operation, prefix of the
-- channels of nodes, this node; the numbers of the limit and the arguments of the operation follow.
-- Before: nothing.
-- Answers: nothing; the later parts do.
local state, line, nodes = KEYS[1], KEYS[2], KEYS[3]
local op, channel, me = ARGV[1], ARGV[2], ARGV[3]
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]

-- A long time in whole seconds is stored as negative seconds, which takes fewer bytes.
local function toShort(micros)
	return (micros >= 2 ^ 32 and micros % 1000000 == 0) and -micros / 1000000 or micros
end

-- Makes a server without free memory run the rest of the script: after the first write it rejects
-- no command. Used by operations that need no more memory than they free, so that permits are still
-- released and renewed.
local function evenIfFull()
	redis.call('ZREM', line, '')
end
