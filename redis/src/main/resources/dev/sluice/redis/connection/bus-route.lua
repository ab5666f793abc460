local interest, nodes, prefix, frame = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
return publishTo(interest, redis.call('HKEYS', interest), nodes, prefix, { frame })
