package dev.sluice.actuate.endpoint;

import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.sluice.actuate.Seconds;
import dev.sluice.throttle.Holder;
import dev.sluice.throttle.KeyState;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.LimitDefinition;
import dev.sluice.throttle.ThrottleSnapshot;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Description of one limit: its counters, and its hottest keys or the holders of its
 * permits.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ThrottleDescriptor(String type, @Nullable Integer limit, @Nullable String period, @Nullable Integer buckets,
		@Nullable Integer capacity, @Nullable Integer minLimit, @Nullable Integer maxLimit, boolean dryRun,
		String source, long version, long admitted, long rejected, long waiting, int keys, @Nullable List<Key> hottest,
		@Nullable Long held, @Nullable List<HolderEntry> holders) implements OperationResponseBody {

	static ThrottleDescriptor of(ThrottleSnapshot throttle, String source, NameVisibility names) {
		Limit limit = throttle.limit();
		Map<String, Object> options = LimitDefinition.of(limit).options();
		boolean held = limit.isHeld();
		return new ThrottleDescriptor(limit.type(), held ? Integer.valueOf(limit.limit()) : number(options, "limit"),
				(limit.period() != null) ? limit.period().toString() : null, number(options, "buckets"),
				number(options, "capacity"), number(options, "minLimit"), number(options, "maxLimit"),
				throttle.options().dryRun(), source, throttle.version(), throttle.admitted(), throttle.rejected(),
				throttle.waiting(), throttle.keys(),
				held ? null : throttle.hottest().stream().map((key) -> Key.of(key, names)).toList(),
				held ? throttle.held() : null,
				held ? throttle.holders().stream().map((holder) -> HolderEntry.of(holder, names)).toList() : null);
	}

	private static @Nullable Integer number(Map<String, Object> options, String option) {
		return (Integer) options.get(option);
	}

	/** Description of one key. */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Key(String key, int used, int remaining, long rejected, int waiting,
			@Nullable Double retryAfter) implements OperationResponseBody {

		static Key of(KeyState state, NameVisibility names) {
			return new Key(names.of(state.key()), state.used(), state.remaining(), state.rejected(), state.waiting(),
					(state.retryAfter() != null) ? Seconds.of(state.retryAfter()) : null);
		}

	}

	/** Description of a holder of permits. */
	record HolderEntry(String key, String owner, int permits, String since, int waiting) {

		static HolderEntry of(Holder holder, NameVisibility names) {
			return new HolderEntry(names.of(holder.key()), names.of(holder.owner()), holder.permits(),
					holder.since().truncatedTo(ChronoUnit.MILLIS).toString(), holder.waiting());
		}

	}

}
