package dev.sluice.autoconfigure.websocket;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import dev.sluice.lifecycle.DrainedLifecycle;
import jakarta.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

import org.springframework.web.context.ServletContextAware;

/**
 * Closes all sessions of the container that are left, those of {@code @ServerEndpoint}
 * and of handlers that are left alone, with 1001 (going away) when the application stops:
 * after ours have ended, and before the web server stops, which would cut them off. A
 * client that does not read holds it up for no longer than the phase lasts.
 */
final class ContainerSessionsLifecycle extends DrainedLifecycle implements ServletContextAware {

	/** Between the end of our sessions and that of the web server. */
	private static final int PHASE = DEFAULT_PHASE - 512;

	private final Consumer<ServletContext> closeAll;

	private @Nullable ServletContext servletContext;

	/**
	 * Creates the lifecycle.
	 * @param closeAll closes the sessions of the container that has a servlet context, if
	 * it is the right one
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
