-- Fast path for nearly all calls: the waiting line is empty, the state has the current format, and
-- either permits are available or a single call gets its wait. The definitions below take longer
-- than the rest of a run, so these calls are answered first, with the same result.
--
-- Takes: ARGV of the operation "take": 7 permits of a call, 8 number of calls, 9 permits to
-- prefetch, 10 id of the call, 11 unanswered calls of the node.
-- Before: "clock" provides op, line, state, now.
-- Answers: nothing; the next part does. "values" is the state, or nil if the fast path does not
-- apply.
local size, count, ahead, values
if op == 'take' and redis.call('EXISTS', line) == 0 then
	size, count, ahead = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
	local raw = redis.pcall('GET', state)
	values = not raw and { 1 } or type(raw) == 'string' and unpacked(raw)
	-- Fewer values leave room for another call.
	if values and (values[1] ~= 1 or #values >= 37) then
		values = nil
	end
end

-- Returns the calls to store when another call is fully granted: the calls among the values whose
-- replies may not have arrived, with their age raised, and the new call.
local function noted(from, further)
	local id, unheard, others = ARGV[10], ARGV[11], nil
	local node = string.sub(id, 1, 4)
	for i = from, #values do
		local other = values[i]
		if type(other) == 'string' and (string.sub(other, 1, 4) ~= node or string.find(unheard, other, 1, true)) then
			local short, ago = 0, further
			if isNumber(values[i + 2], EXACT) and type(values[i + 1]) == 'number' then
				short, ago = values[i + 1], values[i + 2] + further
			end
			others = others or {}
			others[#others + 1] = other
			if short ~= 0 or ago ~= 0 then
				others[#others + 1] = short
				others[#others + 1] = ago
			end
		end
	end
	if not others then
		return id
	end
	others[#others + 1] = id
	return unpack(others)
end
