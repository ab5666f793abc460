-- Positions of messages: a number, a dot and the id of the message.
--
-- Takes: nothing.
-- Before: nothing.
-- Answers: nothing; it provides isPosition and positionIn to the later parts.
local function isPosition(digits)
	return digits and #digits <= 15
end

-- Returns the position in a key, or nil if there is none or it is unreadable.
local function positionIn(key)
	local text = redis.call('GET', key) or ''
	return isPosition(string.match(text, '^(%d+)%.%S+$')) and text or nil
end
