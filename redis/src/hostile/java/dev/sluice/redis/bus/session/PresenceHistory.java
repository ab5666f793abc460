package dev.sluice.redis.bus.session;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What sessions were sent of a topic with presence, and a model for each session: arrivals
 * and departures of a principal alternate, and what a session knows at the end is true. A
 * session that was sent a gap has to reload the state, so it knows nothing until the next
 * event of a principal.
 */
final class PresenceHistory {

	private static final JsonMapper MAPPER = JsonMapper.shared();

	private final Map<String, Model> models = new TreeMap<>();

	/**
	 * Creates a history without events.
	 * @param first the session that was there before all others
	 */
	PresenceHistory(String first) {
		model(first).first = true;
	}

	/** Adds a frame that a session was sent. */
	void sent(String session, String frame) {
		JsonNode json = MAPPER.readTree(frame);
		switch (json.path("type").asString("")) {
			case "presence" -> {
				json.get("joined").forEach((principal) -> model(session).event(principal.stringValue(), true));
				json.get("left").forEach((principal) -> model(session).event(principal.stringValue(), false));
			}
			case "gap" -> model(session).gap();
			default -> {
				// no event of presence
			}
		}
	}

	/** Adds the lines of a process. */
	void sent(List<String> printed) {
		printed.stream().filter((line) -> line.startsWith("S ")).map((line) -> line.split(" ", 3)).forEach((parts) -> {
			if (parts.length == 3) {
				sent(parts[1], parts[2]);
			}
		});
	}

	private Model model(String session) {
		return this.models.computeIfAbsent(session, (id) -> new Model());
	}

	/** Returns whether what these sessions know is true. */
	boolean isTrue(Set<String> present, Set<String> sessions) {
		return sessions.stream().allMatch((session) -> model(session).isTrue(present));
	}

	/**
	 * Checks all sessions.
	 * @param present who is present
	 * @param sessions those that are still connected
	 */
	void check(Set<String> present, Set<String> sessions) {
		assertThat(this.models).allSatisfy((session, model) -> {
			assertThat(model.contradictions).as("%s: %s", session, model.events).isEmpty();
			assertThat(model.gaps).as("%s: %s", session, model.events).isLessThanOrEqualTo(1);
		});
		assertThat(sessions).allSatisfy((session) -> assertThat(model(session).isTrue(present))
			.as("%s knows %s of %s: %s", session, model(session).known, present, model(session).events)
			.isTrue());
	}

	/** What one session knows. */
	private static final class Model {

		private final List<String> events = new ArrayList<>();

		private final List<String> contradictions = new ArrayList<>();

		/** Whether each principal is present that the session knows of. */
		private final Map<String, Boolean> known = new TreeMap<>();

		private boolean first;

		private int gaps;

		void event(String principal, boolean joined) {
			String event = (joined ? '+' : '-') + principal;
			this.events.add(event);
			Boolean before = this.known.put(principal, joined);
			if (before == null && this.first) {
				before = false;
			}
			if (before != null && before == joined) {
				this.contradictions.add(event);
			}
		}

		void gap() {
			this.events.add("gap");
			this.gaps++;
			this.first = false;
			this.known.clear();
		}

		boolean isTrue(Set<String> present) {
			Set<String> there = new HashSet<>();
			Set<String> gone = new HashSet<>();
			this.known.forEach((principal, joined) -> (joined ? there : gone).add(principal));
			return present.containsAll(there) && (!this.first || there.containsAll(present))
					&& present.stream().noneMatch(gone::contains);
		}

	}

}
