-- Records that a member is present at a node, with an expiry. Publishes if it was present at no
-- node; otherwise returns an empty reply.
--
-- Takes: KEYS: 5 members. ARGV: 9 node, 10 member; id and payload of the arrival before.
-- Before: "bus-publication" provides publish and expiry.
-- Answers: as "bus-publish", or an empty list.
local present, node, member = KEYS[5], ARGV[9], ARGV[10]
local there = redis.call('HGET', present, member)
local known = there and string.find(' ' .. there .. ' ', ' ' .. node .. ' ', 1, true)
if not known then redis.call('HSET', present, member, there and there .. ' ' .. node or node) end
redis.call('PEXPIRE', present, expiry)
if there then return {} end
return publish(FIRST + 1)
