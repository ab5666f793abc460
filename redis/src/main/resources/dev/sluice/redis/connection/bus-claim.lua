-- Transfers a session to a node that presents its owner and one of its secrets. The record gets the
-- next incarnation, that secret and a new one, and a new expiry. Returns the previous record, an empty
-- text if there is no such session, or a question mark if its record is not in the format of the bus.
--
-- Takes: KEYS: record. ARGV: expiry in milliseconds, this node, owner, secret, new secret.
-- Before: "types".
-- Answers: the previous record, an empty text, or a question mark.
local record, time, node, owner, secret, other = KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local MAX_DIGITS = 15

-- Compares in constant time.
local function same(kept, given)
	local differing = bit.bxor(#kept, #given)
	for i = 1, #given do
		differing = bit.bor(differing, bit.bxor(string.byte(kept, i) or 0, string.byte(given, i)))
	end
	return differing == 0 and 1 or 0
end

local kept = redis.call('GET', record)
if not kept then return '' end
local incarnation, own, secrets, content = string.match(kept, '^%S+ (%d+) (%S+) (%S+) (.*)$')
if not incarnation or #incarnation > MAX_DIGITS then return '?' end
local good = 0
for known in string.gmatch(secrets, '[^,]+') do good = bit.bor(good, same(known, secret)) end
if same(own, owner) + good < 2 then return '' end

local next = string.format('%.0f', incarnation + 1)
redis.call('SET', record, table.concat({ node, next, own, secret .. ',' .. other, content }, ' '), 'PX', time)
return kept
