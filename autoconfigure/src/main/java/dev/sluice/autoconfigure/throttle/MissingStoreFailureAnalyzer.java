package dev.sluice.autoconfigure.throttle;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains that limits are to be kept in a store that is not there. */
public class MissingStoreFailureAnalyzer extends AbstractFailureAnalyzer<MissingStoreException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, MissingStoreException cause) {
		return new FailureAnalysis(cause.getMessage(), "Add the dependencies 'dev.sluice:sluice-redis' and "
				+ "'org.springframework.boot:spring-boot-starter-data-redis' (with Lettuce, which it brings), or "
				+ "define a ThrottleStore bean, or remove the property 'sluice.store.type'.", cause);
	}

}
