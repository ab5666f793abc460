package dev.sluice.benchmarks.limits;

import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Nanoseconds a call that never waits; choose the threads by {@code -t}. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init")
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 6, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 2, jvmArgsAppend = { "-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch" })
public class TryAcquireBenchmark {

	/** The contender that decides. */
	@Param
	public Contender contender = Contender.SLIDING_LOG;

	/** The decision. */
	@Param
	public Path path = Path.ADMITTED;

	/** How many keys are in use, drawn at random. */
	@Param({ "1", "10000", "1000000" })
	public int keys;

	private String[] names;

	private Limiter limiter;

	/** Makes the contender; every key has been seen once. */
	@Setup(Level.Trial)
	public void setUp() {
		this.names = Keys.make(this.keys);
		this.limiter = this.contender.create(this.path, this.keys);
		for (String name : this.names) {
			this.limiter.tryAcquire(name);
		}
	}

	/**
	 * Tries to acquire one permit of a random key.
	 * @param caller the calling thread's own state
	 * @return whether it was admitted
	 */
	@Benchmark
	public boolean tryAcquire(Caller caller) {
		return this.limiter.tryAcquire(caller.keys.next());
	}

	/** State of one calling thread. */
	@State(Scope.Thread)
	@SuppressWarnings("NullAway.Init")
	public static class Caller {

		private Keys keys;

		/**
		 * Shares the keys, not their order.
		 * @param benchmark the benchmark
		 */
		@Setup(Level.Trial)
		public void setUp(TryAcquireBenchmark benchmark) {
			this.keys = new Keys(benchmark.names);
		}

	}

}
