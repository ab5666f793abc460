-- Tries the commands that scripts and nodes use, on a key of its own. Returns the errors, each
-- after its command. Most are errors of type, as the key has the type of another command, and do
-- not matter.
--
-- Takes: KEYS: a key of its own.
-- Before: "check-limits" or "check-bus" provides the commands.
-- Answers: a list of errors, each with its command.
local refused = {}
for _, command in ipairs(commands) do
	local reply = redis.pcall(unpack(command))
	if type(reply) == 'table' and reply.err then
		refused[#refused + 1] = command[1] .. ': ' .. reply.err
	end
end
redis.pcall('DEL', KEYS[1])
return refused
