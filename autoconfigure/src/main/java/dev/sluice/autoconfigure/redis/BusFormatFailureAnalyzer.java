package dev.sluice.autoconfigure.redis;

import dev.sluice.redis.bus.BusFormatException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Analyzer of failures that are due to a {@link BusFormatException}. */
class BusFormatFailureAnalyzer extends AbstractFailureAnalyzer<BusFormatException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, BusFormatException cause) {
		String prefix = cause.key().substring(0, cause.key().indexOf('{'));
		return new FailureAnalysis(cause.getMessage() + ".",
				"Give these nodes names of their own by 'sluice.store.redis.key-prefix', or use the version of Sluice and "
						+ "the kind of Redis that the other nodes use. If no other node is running, remove the keys "
						+ "that begin with '" + prefix + "'.",
				cause);
	}

}
