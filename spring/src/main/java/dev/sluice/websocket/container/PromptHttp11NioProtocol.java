package dev.sluice.websocket.container;

import java.util.concurrent.Executor;

import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketProcessorBase;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's HTTP connector, with one difference: the end of a message that went out at
 * once is reported by the thread that sent it. Tomcat hands the report to a thread of its
 * pool, which costs more than the sending of a small message. It is named to the factory
 * of the web server as the protocol to use; other connectors serve sessions as well, at
 * that cost.
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

	/** What a thread leaves to the pool while it sends a message is the report. */
	private record PromptExecutor(Executor pool) implements Executor {

		@Override
		public void execute(Runnable task) {
			if (task instanceof SocketProcessorBase || !SendReports.keep(task)) {
				this.pool.execute(task);
			}
		}

	}

}
