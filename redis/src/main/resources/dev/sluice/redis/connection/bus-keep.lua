-- Keeps what is known of a session, for a time, unless it has been claimed since. Answers
-- whether it is kept.
local record, time, incarnation = KEYS[1], ARGV[1], ARGV[3]
if tonumber(redis.call('HGET', record, 'incarnation') or 0) > tonumber(incarnation) then return 0 end
redis.call('HSET', record, 'node', ARGV[2], 'incarnation', incarnation, 'owner', ARGV[4], 'content', ARGV[5])
for number = 6, #ARGV do redis.call('HSET', record, 'secret-' .. number - 5, ARGV[number]) end
local surplus = #ARGV - 4
while redis.call('HDEL', record, 'secret-' .. surplus) == 1 do surplus = surplus + 1 end
redis.call('PEXPIRE', record, time)
return 1
