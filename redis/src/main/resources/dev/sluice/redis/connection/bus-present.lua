-- Reads the members of a name, and the nodes at which each is present.
--
-- Takes: KEYS: members. ARGV: nothing.
-- Before: "types".
-- Answers: each member and its nodes.
return redis.call('HGETALL', KEYS[1])
