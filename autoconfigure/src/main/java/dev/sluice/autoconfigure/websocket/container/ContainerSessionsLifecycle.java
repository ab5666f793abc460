package dev.sluice.autoconfigure.websocket.container;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import dev.sluice.lifecycle.DrainedLifecycle;
import jakarta.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

import org.springframework.web.context.ServletContextAware;

/**
 * Closes all remaining sessions of the container with 1001 (going away) when the
 * application stops: sessions of {@code @ServerEndpoint} and of handlers that Sluice does
 * not manage. The managed sessions have ended by then, and the web server, which would
 * cut the remaining sessions off, stops afterwards. A client that does not read holds it
 * up for no longer than the phase lasts.
 */
final class ContainerSessionsLifecycle extends DrainedLifecycle implements ServletContextAware {

	/** Between the end of the managed sessions and the stop of the web server. */
	private static final int PHASE = DEFAULT_PHASE - 512;

	private final Consumer<ServletContext> closeAll;

	private @Nullable ServletContext servletContext;

	/**
	 * Creates the lifecycle.
	 * @param closeAll closes the sessions of the container of a servlet context, if it is
	 * the supported one
	 */
	ContainerSessionsLifecycle(Consumer<ServletContext> closeAll) {
		super(PHASE);
		this.closeAll = closeAll;
	}

	@Override
	public void setServletContext(ServletContext servletContext) {
		this.servletContext = servletContext;
	}

	@Override
	protected void begin() {
	}

	@Override
	protected CompletableFuture<?> drain() {
		return CompletableFuture.runAsync(() -> {
			if (this.servletContext != null) {
				this.closeAll.accept(this.servletContext);
			}
		}, (closing) -> {
			Thread thread = new Thread(closing, "sluice-container-sessions");
			thread.setDaemon(true);
			thread.start();
		});
	}

}
