package dev.sluice.autoconfigure.websocket;

import dev.sluice.websocket.InvalidEndpointException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a session class that cannot be served. */
class InvalidEndpointFailureAnalyzer extends AbstractFailureAnalyzer<InvalidEndpointException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidEndpointException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.action(), cause);
	}

}
