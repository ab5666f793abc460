package dev.sluice.autoconfigure.redis;

import dev.sluice.redis.RedisAccessException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Analyzer of failures that are due to a {@link RedisAccessException}. */
class RedisAccessFailureAnalyzer extends AbstractFailureAnalyzer<RedisAccessException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, RedisAccessException cause) {
		return new FailureAnalysis(cause.getMessage() + ".",
				"Check 'spring.data.redis.username', 'spring.data.redis.password' and 'spring.data.redis.database', and "
						+ "the ACL rules of that user. For a Redis Cluster, set 'spring.data.redis.cluster.nodes'.",
				cause);
	}

}
