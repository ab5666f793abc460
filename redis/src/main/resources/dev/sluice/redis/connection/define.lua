-- Definition of a limit: its version, a space, and its terms, whose first word is the kind, a rate
-- or a concurrency limit; or "removed". A change names the version that it replaces, 0 for none, so
-- a late change has no effect after another one. A change is published to all nodes. A text without
-- version or kind is unreadable, and treated as absent.
--
-- Takes: KEYS: definition. ARGV: operation (open, renew, change, read or remove), channel, limit,
-- terms, expiry, version that is replaced.
-- Before: "types".
-- Answers: the definition after the operation, or "removed".
local key, op, channel, resource, terms, expiry, replaces =
	KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6])
local known = redis.call('GET', key)
local MAX_DIGITS = 15
if known and known ~= 'removed' then
	local digits = string.match(known, '^(%d+) %a+ .*$')
	if not digits or #digits > MAX_DIGITS then known = false end
end

if op == 'read' then
	return known or 'removed'
end
if op == 'remove' then
	redis.call('SET', key, 'removed', 'PX', expiry)
	redis.call('PUBLISH', channel, resource)
	return 'removed'
end
if known == 'removed' then
	if op ~= 'open' then
		return known
	end
	known = false
end
local version = 0
if known then
	local number, present = string.match(known, '^(%d+) (.*)$')
	local sameKind = string.match(present, '^%a+') == string.match(terms, '^%a+')
	version = tonumber(number)
	if present == terms or op == 'renew' or not sameKind or version ~= replaces then
		redis.call('PEXPIRE', key, expiry)
		return known
	end
end
local defined = string.format('%d %s', version + 1, terms)
redis.call('SET', key, defined, 'PX', expiry)
redis.call('PUBLISH', channel, resource)
return defined
