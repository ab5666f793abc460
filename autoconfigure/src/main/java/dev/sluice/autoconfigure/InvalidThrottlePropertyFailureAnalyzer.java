package dev.sluice.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a property below {@code sluice.throttles} that cannot be followed. */
class InvalidThrottlePropertyFailureAnalyzer extends AbstractFailureAnalyzer<InvalidThrottlePropertyException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidThrottlePropertyException cause) {
		return new FailureAnalysis(cause.getMessage(), cause.getAction(), cause);
	}

}
