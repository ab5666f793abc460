package dev.sluice.benchmarks.execution;

import java.util.concurrent.ConcurrentHashMap;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.UntypedAbstractActor;
import org.apache.pekko.dispatch.ControlMessage;

/** An actor per id whose messages are tasks. */
final class PekkoExecutor implements KeyedExecutor {

	/** The throughput is the one with which Pekko did best in earlier measurements. */
	private static final String CONFIG = """
			pekko {
				stdout-loglevel = OFF
				loglevel = OFF
				log-dead-letters = off
				jvm-shutdown-hooks = off
			}
			tasks {
				type = Dispatcher
				executor = "%s"
				thread-pool-executor.fixed-pool-size = %2$d
				fork-join-executor { parallelism-min = %2$d, parallelism-max = %2$d }
				throughput = 64
			}
			plain.mailbox-type = "org.apache.pekko.dispatch.UnboundedMailbox"
			control-aware.mailbox-type = "org.apache.pekko.dispatch.UnboundedControlAwareMailbox"
			""";

	private final ConcurrentHashMap<String, ActorRef> actors = new ConcurrentHashMap<>();

	private final ActorSystem system;

	private final Props props;

	PekkoExecutor(WorkerPool kind, boolean controlAware) {
		String executor = switch (kind) {
			case FIXED -> "thread-pool-executor";
			case FORK_JOIN -> "fork-join-executor";
		};
		Config config = ConfigFactory.parseString(CONFIG.formatted(executor, WorkerPool.WORKERS))
			.withFallback(ConfigFactory.load());
		this.system = ActorSystem.create("benchmark", config);
		this.props = Props.create(TaskActor.class, TaskActor::new)
			.withDispatcher("tasks")
			.withMailbox(controlAware ? "control-aware" : "plain");
	}

	@Override
	public void execute(String id, Task task) {
		of(id).tell(task, ActorRef.noSender());
	}

	@Override
	public void executeUrgently(String id, Task task) {
		of(id).tell(new UrgentTask(task), ActorRef.noSender());
	}

	private ActorRef of(String id) {
		ActorRef present = this.actors.get(id);
		return (present != null) ? present
				: this.actors.computeIfAbsent(id, (absent) -> this.system.actorOf(this.props));
	}

	@Override
	public void close() {
		this.system.terminate();
		this.system.getWhenTerminated().toCompletableFuture().join();
	}

	private record UrgentTask(Task task) implements Task, ControlMessage {

		@Override
		public void run() {
			this.task.run();
		}

	}

	private static final class TaskActor extends UntypedAbstractActor {

		@Override
		public void onReceive(Object message) {
			((Task) message).run();
		}

	}

}
