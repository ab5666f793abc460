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

/**
 * How long an urgent task takes, from its submission to its end, behind 10,000 others.
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init")
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3, jvmArgsAppend = { "-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch" })
public class UrgentTaskBenchmark {

	/**
	 * The contender that runs the tasks; excludes contenders whose workers never leave a
	 * queue with work.
	 */
	@Param({ "SLUICE", "PEKKO_CONTROL", "NETTY" })
	public Contender contender = Contender.SLUICE;

	/** On which pool. */
	@Param
	public WorkerPool pool = WorkerPool.FIXED;

	/** How many queues are busy. */
	@Param({ "1", "1000" })
	public int queues;

	/** The work of a task; 500 is about a microsecond. */
	@Param({ "0", "500" })
	public long work;

	private ExecutorService workers;

	private KeyedExecutor executor;

	private Backlog backlog;

	/** Makes the contender and its backlog. */
	@Setup(Level.Trial)
	public void setUp() {
		this.workers = this.pool.create();
		this.executor = this.contender.create(this.pool, this.workers, Integer.MAX_VALUE);
		this.backlog = new Backlog(this.executor, this.queues, this.work);
	}

	/**
	 * Submits one urgent task and waits for it.
	 * @return how many other tasks started before it
	 */
	@Benchmark
	public int urgentTask() {
		return this.backlog.startsBeforeUrgentTask();
	}

	/** Ends all threads. */
	@TearDown(Level.Trial)
	public void tearDown() {
		this.backlog.close();
		this.executor.close();
		this.workers.shutdown();
	}

}
