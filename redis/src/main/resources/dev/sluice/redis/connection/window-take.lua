-- Fast path of windows.
--
-- Takes: ARGV: 4 limit, 5 length of a bucket, 6 buckets.
-- Before: "take" provides values, size, count, ahead and noted.
-- Answers: as "take" of "rate", with the same result; without an answer the script continues.
if values then
	local limit, length, buckets = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
	local short = toShort(length)
	if #values == 1 or values[2] == 'W' and values[3] == short and isCounts(values[5], length) then
		local counts = values[5] or {}
		local newest = counts[#counts - 1] or 0
		local time = math.max(now, newest * length)
		local latest = (time - time % length) / length
		local used, wait = 0, 0
		for i = 1, #counts, 2 do
			if counts[i] + buckets > latest then
				used = used + counts[i + 1]
			end
		end
		if used + size * count + 2 * ahead <= limit then
			while counts[1] and counts[1] + buckets <= latest do
				table.remove(counts, 1)
				table.remove(counts, 1)
			end
			if counts[#counts - 1] ~= latest then
				counts[#counts + 1] = latest
				counts[#counts + 1] = 0
			end
			counts[#counts] = counts[#counts] + size * count + ahead
			local packed = cmsgpack.pack(1, 'W', short, buckets, counts, noted(6, latest - newest))
			redis.call('SET', state, packed, 'PX', math.ceil(((latest + buckets) * length - time) / 1000) + 1)
			if ahead == 0 then
				return { 0, time }
			end
			return { 0, time, count, 0, ahead, (latest + 1) * length - time }
		end
		local excess = used + size - limit
		if count == 1 and excess > 0 then
			for i = 1, #counts, 2 do
				if excess > 0 and counts[i] + buckets > latest then
					excess = excess - counts[i + 1]
					wait = (counts[i] + buckets) * length - time
				end
			end
			return { 0, time, 0, wait, 0, 0 }
		end
	end
end
