-- Commands on a key that has a type of another program: the key is deleted, as a name of Sluice has
-- one type only, and the command runs as on an absent key. Every other error ends the script.
--
-- Takes: nothing.
-- Before: nothing.
-- Answers: nothing; it replaces redis.call for the later parts.
local server = redis
local redis = { pcall = server.pcall }

function redis.call(command, ...)
	local reply = server.pcall(command, ...)
	if type(reply) == 'table' and reply.err then
		if string.find(reply.err, 'WRONGTYPE', 1, true) then
			server.call('DEL', (...))
		end
		return server.call(command, ...)
	end
	return reply
end
