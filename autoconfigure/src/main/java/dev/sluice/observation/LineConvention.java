package dev.sluice.observation;

import java.util.Locale;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** What the observation of a wait is called. */
final class LineConvention implements ObservationConvention<LineObservationContext> {

	static final LineConvention INSTANCE = new LineConvention();

	private LineConvention() {
	}

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
