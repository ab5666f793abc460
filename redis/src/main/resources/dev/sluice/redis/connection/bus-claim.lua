-- Gives a session to a node that knows its owner and one of its secrets: as the next incarnation,
-- with that secret and another one, for a time. Answers what was kept before: the node, the
-- incarnation, the content, then the secrets; nothing if there is no such session.
local record, time, node, owner, secret, other = KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

-- Takes as long for any text as for the expected one.
local function same(kept, given)
	local differing = bit.bxor(#kept, #given)
	for i = 1, #given do
		differing = bit.bor(differing, bit.bxor(string.byte(kept, i) or 0, string.byte(given, i)))
	end
	return differing == 0 and 1 or 0
end

local known, incarnation, own, content = unpack(redis.call('HMGET', record, 'node', 'incarnation', 'owner', 'content'))
if not known then return {} end
local reply, good = { known, incarnation, content }, 0
local kept = redis.call('HGET', record, 'secret-1')
while kept do
	reply[#reply + 1] = kept
	good = bit.bor(good, same(kept, secret))
	kept = redis.call('HGET', record, 'secret-' .. #reply - 2)
end
if same(own, owner) + good < 2 then return {} end

for number = 3, #reply - 3 do redis.call('HDEL', record, 'secret-' .. number) end
redis.call('HINCRBY', record, 'incarnation', 1)
redis.call('HSET', record, 'node', node, 'secret-1', secret, 'secret-2', other)
redis.call('PEXPIRE', record, time)
return reply
