package dev.sluice.benchmarks.execution;

import java.util.concurrent.ExecutorService;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Time of a task of 100 us in a quiet queue next to a flooding one. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init")
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3, jvmArgsAppend = { "-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch" })
public class QuietQueueBenchmark {

	private static final long TASK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

	/** The contender that runs the tasks. */
	@Param({ "SLUICE", "PEKKO_CONTROL", "GUAVA", "NETTY" })
	public Contender contender = Contender.SLUICE;

	/** On which pool. */
	@Param
	public WorkerPool pool = WorkerPool.FIXED;

	/** Whether one queue floods. */
	@Param({ "false", "true" })
	public boolean flooded;

	private ExecutorService workers;

	private KeyedExecutor executor;

	private Flood flood;

	/** Makes the contender and its flood. */
	@Setup(Level.Trial)
	public void setUp() {
		this.workers = this.pool.create();
		this.executor = this.contender.create(this.pool, this.workers, Integer.MAX_VALUE);
		this.flood = new Flood(this.executor, TASK_NANOS);
		if (this.flooded) {
			this.flood.start();
		}
	}

	/** Runs a task in the next quiet queue. */
	@Benchmark
	public void quietTask() {
		this.flood.runQuietTask().join();
	}

	/** Ends all threads. */
	@TearDown(Level.Trial)
	public void tearDown() {
		this.flood.close();
		this.executor.close();
		this.workers.shutdown();
	}

}
