-- Tries commands that other scripts and nodes use, on a key that has no other use. Answers the errors, each after
-- its command; most are none, as the key has the type of another command.
local refused = {}
for _, command in ipairs(commands) do
	local reply = redis.pcall(unpack(command))
	if type(reply) == 'table' and reply.err then
		refused[#refused + 1] = command[1] .. ': ' .. reply.err
	end
end
redis.pcall('DEL', KEYS[1])
return refused
