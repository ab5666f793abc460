-- Fast path of token buckets.
--
-- Takes: ARGV: 4 capacity, 5 cost of a permit, 6 shift of the scale.
-- Before: "take" provides values, size, count, ahead and noted.
-- Answers: as "take" of "rate", with the same result; without an answer the script continues.
if values then
	local maxPermits, cost, shift = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
	local short = toShort(cost)
	local scale = 2 ^ shift
	if #values == 1 or values[2] == 'T' and values[5] == short and values[6] == shift
			and isNumber(values[3], latestTime) and isNumber(values[4], EXACT * scale) then
		local since, fill = values[3] or now, maxPermits * cost
		local time = math.max(now, since)
		local spent = math.max(0, (values[4] or 0) - (time - since) * scale)
		if spent + (size * count + 2 * ahead) * cost <= fill then
			spent = spent + (size * count + ahead) * cost
			local packed = cmsgpack.pack(1, 'T', time, spent, short, shift, noted(7, time - since))
			redis.call('SET', state, packed, 'PX', math.ceil(math.ceil(spent / scale) / 1000) + 1)
			if ahead == 0 then
				return { 0, time }
			end
			return { 0, time, count, 0, ahead, -1 }
		end
		if count == 1 and spent + size * cost > fill then
			return { 0, time, 0, math.ceil((spent + size * cost - fill) / scale), 0, 0 }
		end
	end
end
