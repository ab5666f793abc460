package dev.sluice.observation;

import java.util.Locale;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Name and keys of the observation of a wait. */
enum LineConvention implements ObservationConvention<LineObservationContext> {

	INSTANCE;

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof LineObservationContext;
	}

	@Override
	public String getName() {
		return "sluice.throttle.line";
	}

	@Override
	public String getContextualName(LineObservationContext context) {
		return "wait for " + resource(context);
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(LineObservationContext context) {
		return KeyValues.of(
				SluiceObservation.LineKeyNames.OUTCOME.withValue(context.getOutcome().name().toLowerCase(Locale.ROOT)),
				SluiceObservation.LineKeyNames.RESOURCE.withValue(resource(context)));
	}

	private static String resource(LineObservationContext context) {
		return String.join(",", context.getResources());
	}

}
