package dev.sluice.redis.bus.session;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Compares what the sessions of nodes were sent with all that was published. */
final class SentMessages {

	private static final Pattern SENT = Pattern.compile("S (\\S+) (\\{.*})");

	private static final Pattern MESSAGE = Pattern
		.compile(".*\"data\":\"(\\w+)\",\"topic\":\"room\",\"at\":\"((\\d+)\\.[^\"]+)\".*");

	private static final Pattern PUBLISHED = Pattern.compile("P (\\d+\\.\\S+) (\\w+)");

	private static final Pattern DELIVERED = Pattern.compile("D (\\w+) (\\d+) (\\d+) (\\d+)");

	private final Map<String, List<String>> frames = new HashMap<>();

	private final Map<String, String> published = new HashMap<>();

	private final Map<String, Integer> written = new HashMap<>();

	private final Map<String, Integer> delivered = new HashMap<>();

	/**
	 * Reads what nodes have printed.
	 * @param lines of any number of nodes, in the order in which each has printed them
	 */
	SentMessages(Collection<String> lines) {
		for (String line : lines) {
			Matcher sent = SENT.matcher(line);
			Matcher position = PUBLISHED.matcher(line);
			Matcher delivery = DELIVERED.matcher(line);
			if (sent.matches()) {
				this.frames.computeIfAbsent(sent.group(1), (id) -> new ArrayList<>()).add(sent.group(2));
				Matcher message = MESSAGE.matcher(sent.group(2));
				if (message.matches()) {
					this.written.merge(message.group(1), 1, Integer::sum);
				}
			}
			else if (position.matches()) {
				this.published.put(position.group(1), position.group(2));
			}
			else if (delivery.matches()) {
				this.delivered.put(delivery.group(1), Integer.parseInt(delivery.group(2)));
			}
		}
	}

	int messages() {
		return this.written.values().stream().mapToInt(Integer::intValue).sum();
	}

	/** Returns how many gaps each session was told of that was told of any. */
	Map<String, Integer> gaps() {
		Map<String, Integer> gaps = new HashMap<>();
		this.frames.forEach((session, frames) -> frames.stream()
			.filter((frame) -> frame.contains("\"gap\""))
			.forEach((frame) -> gaps.merge(session, 1, Integer::sum)));
		return gaps;
	}

	Set<String> sessionsThatGot(String text) {
		Set<String> sessions = new HashSet<>();
		this.frames.forEach((session, frames) -> {
			if (frames.stream().anyMatch((frame) -> frame.contains('"' + text + '"'))) {
				sessions.add(session);
			}
		});
		return sessions;
	}

	/** Returns what was published, and not sent to so many sessions. */
	List<String> notGotBy(int sessions) {
		return this.published.values()
			.stream()
			.filter((text) -> this.written.getOrDefault(text, 0) < sessions)
			.toList();
	}

	/** Returns what is lost without a gap, doubled, out of order, or not as was told. */
	List<String> violations() {
		List<String> wrong = new ArrayList<>();
		this.frames.forEach((session, frames) -> check(session, frames, wrong));
		this.delivered.forEach((text, sent) -> {
			if (this.written.getOrDefault(text, 0) < sent) {
				wrong.add(text + " was told to be sent " + sent + " times, and was " + this.written.get(text));
			}
		});
		return wrong;
	}

	private void check(String session, List<String> frames, List<String> wrong) {
		Set<String> seen = new HashSet<>();
		long before = 0;
		for (String frame : frames) {
			Matcher message = MESSAGE.matcher(frame);
			if (!message.matches()) {
				before = 0;
				continue;
			}
			long number = Long.parseLong(message.group(3));
			String at = message.group(2);
			if (!seen.add(message.group(1)) || before > 0 && number != before + 1) {
				wrong.add(session + " got " + at + " after " + before);
			}
			String text = this.published.putIfAbsent(at, message.group(1));
			if (text != null && !text.equals(message.group(1))) {
				wrong.add(session + " got " + message.group(1) + " at " + at + " for " + text);
			}
			before = number;
		}
	}

}
