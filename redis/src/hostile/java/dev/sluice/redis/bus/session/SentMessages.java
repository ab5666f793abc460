package dev.sluice.redis.bus.session;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Compares what the sessions of nodes were sent with all that was published. */
final class SentMessages {

	private static final Pattern SENT = Pattern.compile("S (\\S+) (\\{.*})");

	private static final Pattern MESSAGE = Pattern
		.compile(".*\"data\":\"(\\w+)\",\"topic\":\"room\",\"at\":\"((\\d+)\\.[^\"]+)\".*");

	/** The position of a gap is that of the latest missing message, or of the next one. */
	private static final Pattern GAP = Pattern.compile(".*\"gap\",\"topic\":\"room\",\"at\":\"(\\d+)\\..*");

	private static final Pattern FAILED = Pattern.compile("[FE] (\\w+) failed");

	private static final Pattern PUBLISHED = Pattern.compile("P (\\d+\\.\\S+) (\\w+)");

	private static final Pattern DELIVERED = Pattern.compile("D (\\w+) (\\d+) (\\d+) (\\d+) ?(\\S*)");

	private final Map<String, List<String>> frames = new HashMap<>();

	private final Map<String, String> published = new HashMap<>();

	/** Texts with the sessions that were sent it, once for each time. */
	private final Map<String, List<String>> written = new HashMap<>();

	/** Texts with the numbers of sessions that were sent it, failed, and are unknown. */
	private final Map<String, int[]> delivered = new HashMap<>();

	/** Texts with the nodes that have answered, with names separated by commas. */
	private final Map<String, String> answered = new HashMap<>();

	/** Texts that certainly were not published. */
	private final Set<String> failed = new HashSet<>();

	/**
	 * Reads what nodes have printed.
	 * @param lines of any number of nodes, in the order in which each has printed them
	 */
	SentMessages(Collection<String> lines) {
		for (String line : lines) {
			Matcher sent = SENT.matcher(line);
			Matcher position = PUBLISHED.matcher(line);
			Matcher delivery = DELIVERED.matcher(line);
			Matcher failure = FAILED.matcher(line);
			if (sent.matches()) {
				this.frames.computeIfAbsent(sent.group(1), (id) -> new ArrayList<>()).add(sent.group(2));
				Matcher message = MESSAGE.matcher(sent.group(2));
				if (message.matches()) {
					this.written.computeIfAbsent(message.group(1), (text) -> new ArrayList<>()).add(sent.group(1));
				}
			}
			else if (position.matches()) {
				this.published.put(position.group(1), position.group(2));
			}
			else if (delivery.matches()) {
				this.delivered.put(delivery.group(1), IntStream.rangeClosed(2, 4)
					.map((group) -> Integer.parseInt(delivery.group(group)))
					.toArray());
				this.answered.put(delivery.group(1), delivery.group(5));
			}
			else if (failure.matches()) {
				this.failed.add(failure.group(1));
			}
		}
	}

	int messages() {
		return this.written.values().stream().mapToInt(List::size).sum();
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
			.filter((text) -> receivers(text).size() < sessions)
			.toList();
	}

	/** Returns what is lost without a gap, doubled, out of order, or not as was told. */
	List<String> violations() {
		List<String> wrong = new ArrayList<>();
		this.frames.forEach((session, frames) -> check(session, frames, wrong));
		this.delivered.forEach((text, outcome) -> {
			List<String> receivers = receivers(text);
			if (receivers.size() < outcome[0] || outcome[1] > 0 && ofAnswered(receivers, text) > outcome[0] + outcome[2]) {
				wrong.add(text + " was told as " + Arrays.toString(outcome) + ", and was sent to " + receivers);
			}
		});
		this.failed.stream()
			.filter(this.written::containsKey)
			.forEach((text) -> wrong.add(text + " was told as failed, and was sent"));
		return wrong;
	}

	private List<String> receivers(String text) {
		return this.written.getOrDefault(text, List.of());
	}

	/**
	 * Sessions of other nodes may be sent the message, and are not counted: a node that is
	 * lost, and one that joins the topic meanwhile and reads the message in its history.
	 */
	private long ofAnswered(List<String> receivers, String text) {
		List<String> answered = Arrays.asList(this.answered.get(text).split(","));
		return receivers.stream().filter((session) -> answered.contains(session.split("-")[0])).count();
	}

	private void check(String session, List<String> frames, List<String> wrong) {
		Set<String> seen = new HashSet<>();
		long before = 0;
		long gapEnds = -1;
		for (String frame : frames) {
			Matcher message = MESSAGE.matcher(frame);
			Matcher gap = GAP.matcher(frame);
			if (!message.matches()) {
				before = gap.matches() ? Long.parseLong(gap.group(1)) : 0;
				gapEnds = before;
				continue;
			}
			long number = Long.parseLong(message.group(3));
			String at = message.group(2);
			if (!seen.add(message.group(1)) || before > 0 && number != before + 1 && number != gapEnds) {
				wrong.add(session + " got " + at + " after " + before);
			}
			String text = this.published.putIfAbsent(at, message.group(1));
			if (text != null && !text.equals(message.group(1))) {
				wrong.add(session + " got " + message.group(1) + " at " + at + " for " + text);
			}
			before = number;
			gapEnds = -1;
		}
	}

}
