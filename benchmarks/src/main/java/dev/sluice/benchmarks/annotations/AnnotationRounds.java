package dev.sluice.benchmarks.annotations;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import com.sun.management.ThreadMXBean;
import dev.sluice.benchmarks.Rounds;

/**
 * Calls the beans of the contenders one after the other and prints the nanoseconds a call
 * of each in each round, and the bytes it allocated. Arguments: rounds, contenders.
 */
final class AnnotationRounds {

	/** Follows a contender's title where a value is its bytes a call. */
	static final String BYTES = " B/op";

	private static final long WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

	private static final long MEASURE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private static final int WARM_UPS = 5;

	private static final int CHUNK = 1_000;

	private static final User[] USERS = IntStream.range(0, 16)
		.mapToObj((number) -> new User("user-" + number))
		.toArray(User[]::new);

	private static final ThreadMXBean MEMORY = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private AnnotationRounds() {
	}

	public static void main(String[] args) {
		int rounds = Integer.parseInt(args[0]);
		List<Contender> contenders = Arrays.stream(args).skip(1).map(Contender::valueOf).toList();
		List<Quotes> beans = new ArrayList<>();
		contenders.forEach((contender) -> beans.add(contender.create()));
		for (int warmUp = 0; warmUp < WARM_UPS; warmUp++) {
			for (Quotes bean : beans) {
				measure(bean, WARM_UP_NANOS);
			}
		}
		for (int round = 0; round < rounds; round++) {
			for (int turn = 0; turn < contenders.size(); turn++) {
				int next = (round + turn) % contenders.size();
				Cost cost = measure(beans.get(next), MEASURE_NANOS);
				System.out.println(Rounds.line(contenders.get(next).title, cost.nanos));
				System.out.println(Rounds.line(contenders.get(next).title + BYTES, cost.bytes));
			}
		}
		System.exit(0);
	}

	private static Cost measure(Quotes bean, long nanos) {
		long startBytes = MEMORY.getCurrentThreadAllocatedBytes();
		long startNanos = System.nanoTime();
		long calls = 0;
		long strays = 0;
		long elapsed;
		do {
			for (int i = 0; i < CHUNK; i++) {
				User user = USERS[i % USERS.length];
				if (bean.quote(user, i) != user.id().length() + i) {
					strays++;
				}
			}
			calls += CHUNK;
			elapsed = System.nanoTime() - startNanos;
		}
		while (elapsed < nanos);
		long bytes = MEMORY.getCurrentThreadAllocatedBytes() - startBytes;
		if (strays > 0) {
			throw new IllegalStateException(strays + " of " + calls + " calls did not come to the bean");
		}
		return new Cost((double) elapsed / calls, (double) bytes / calls);
	}

	private record Cost(double nanos, double bytes) {
	}

}
