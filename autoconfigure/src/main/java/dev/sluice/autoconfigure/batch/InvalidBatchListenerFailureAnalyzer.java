package dev.sluice.autoconfigure.batch;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a batch that cannot be listened to as declared. */
class InvalidBatchListenerFailureAnalyzer extends AbstractFailureAnalyzer<InvalidBatchListenerException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidBatchListenerException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.getAction(), cause);
	}

}
