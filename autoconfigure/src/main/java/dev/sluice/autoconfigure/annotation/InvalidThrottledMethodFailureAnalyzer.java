package dev.sluice.autoconfigure.annotation;

import dev.sluice.annotation.InvalidThrottledMethodException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a limited method whose annotations cannot be applied. */
class InvalidThrottledMethodFailureAnalyzer extends AbstractFailureAnalyzer<InvalidThrottledMethodException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidThrottledMethodException cause) {
		return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
	}

}
