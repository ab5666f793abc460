package dev.sluice.websocket.container;

import java.util.concurrent.Executor;

import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketProcessorBase;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's HTTP connector, with two differences: the end of a message that went out at
 * once is reported by the thread that sent it, where Tomcat hands the report to a thread
 * of its pool, which costs more than the sending of a small message; and the connections
 * of sessions are not listed among those that wait, twice a message. It is named to the
 * factory of the web server as the protocol to use; other connectors serve sessions as
 * well, at that cost.
 *
 * @since 0.1.0
 */
public final class PromptHttp11NioProtocol extends Http11NioProtocol {

	/** Creates the protocol; called by Tomcat, by reflection. */
	public PromptHttp11NioProtocol() {
		super(new Endpoint());
	}

	/** The pool itself, for applications that shut it down by hand. */
	@Override
	@SuppressWarnings("NullAway") // Tomcat's is null until it has started
	public Executor getExecutor() {
		return (super.getExecutor() instanceof PromptExecutor prompt) ? prompt.pool() : super.getExecutor();
	}

	/**
	 * Tomcat lists a connection whenever it waits for something to be read, to end it
	 * when its time is over; that of a session has none, so it is not listed.
	 */
	@Override
	public void addWaitingProcessor(Processor processor) {
		if (!isSession(processor)) {
			super.addWaitingProcessor(processor);
		}
	}

	@Override
	public void removeWaitingProcessor(Processor processor) {
		if (!isSession(processor)) {
			super.removeWaitingProcessor(processor);
		}
	}

	private static boolean isSession(Processor processor) {
		return processor.isUpgrade()
				&& processor.getUpgradeToken().httpUpgradeHandler() instanceof TomcatUpgradeHandler;
	}

	/** Keeps its own pool, and shows it to others with reports taken out. */
	private static final class Endpoint extends NioEndpoint {

		private volatile @Nullable PromptExecutor prompt;

		@Override
		@SuppressWarnings("NullAway") // Tomcat's is null until it has started
		public Executor getExecutor() {
			Executor pool = super.getExecutor();
			if (pool == null) {
				return null;
			}
			PromptExecutor present = this.prompt;
			if (present == null || present.pool != pool) {
				present = new PromptExecutor(pool);
				this.prompt = present;
			}
			return present;
		}

	}

	/** Executor to which a thread leaves the report of a message that it is sending. */
	private record PromptExecutor(Executor pool) implements Executor {

		@Override
		public void execute(Runnable task) {
			if (task instanceof SocketProcessorBase || !SendReports.keep(task)) {
				this.pool.execute(task);
			}
		}

	}

}
