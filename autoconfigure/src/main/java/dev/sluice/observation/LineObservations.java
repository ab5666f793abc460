package dev.sluice.observation;

import java.util.List;
import java.util.function.Consumer;

import dev.sluice.aop.spi.LineObserver;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/** Observes calls that wait in line, if an observation handler is registered. */
record LineObservations(ObservationRegistry registry) implements LineObserver {

	@Override
	public @Nullable Consumer<@Nullable Throwable> waiting(List<String> resources) {
		if (this.registry.isNoop()) {
			return null;
		}
		LineObservationContext context = new LineObservationContext(resources);
		Observation observation = SluiceObservation.THROTTLE_LINE.observation(null, LineConvention.INSTANCE,
				() -> context, this.registry);
		if (observation.isNoop()) {
			return null;
		}
		observation.start();
		return (failure) -> {
			context.setOutcome(LineObservationContext.Outcome.of(failure));
			if (context.getOutcome() == LineObservationContext.Outcome.FAILED && failure != null) {
				observation.error(failure);
			}
			observation.stop();
		};
	}

}
