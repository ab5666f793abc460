package dev.sluice.benchmarks.execution;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Tasks a microsecond, in batches that are submitted and awaited. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init")
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3, jvmArgsAppend = { "-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch" })
public class KeyedThroughputBenchmark {

	/** The contender that runs the tasks. */
	@Param
	public Contender contender = Contender.SLUICE;

	/** On which pool. */
	@Param
	public WorkerPool pool = WorkerPool.FIXED;

	/** Over how many ids they are spread. */
	@Param({ "1", "1000", "100000" })
	public int queues;

	/** How many threads submit them. */
	@Param({ "1", "2", "4" })
	public int producers;

	/** The work of a task; 500 is about a microsecond. */
	@Param({ "0", "500" })
	public long work;

	private ExecutorService workers;

	private KeyedExecutor executor;

	private Load load;

	/** Makes the contender and its load. */
	@Setup(Level.Trial)
	public void setUp() {
		this.workers = this.pool.create();
		this.executor = this.contender.create(this.pool, this.workers, Load.BATCH);
		this.load = new Load(this.queues, this.producers, this.work);
	}

	/** Submits a batch and waits until all of it has run. */
	@Benchmark
	@OperationsPerInvocation(Load.BATCH)
	public void batch() {
		this.load.run(this.executor);
	}

	/** Ends all threads. */
	@TearDown(Level.Trial)
	public void tearDown() {
		this.load.close();
		this.executor.close();
		this.workers.shutdown();
	}

}
