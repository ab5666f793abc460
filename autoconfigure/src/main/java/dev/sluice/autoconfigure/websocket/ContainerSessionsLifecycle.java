package dev.sluice.autoconfigure.websocket;

import java.util.function.Consumer;

import jakarta.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;
import org.springframework.web.context.ServletContextAware;

/**
 * Closes all sessions of the container that are left, those of {@code @ServerEndpoint}
 * and of handlers that are left alone, with 1001 (going away) when the application stops:
 * after ours have ended, and before the web server stops, which would cut them off. A
 * client that does not read holds it up for no longer than the phase lasts.
 */
final class ContainerSessionsLifecycle implements SmartLifecycle, ServletContextAware {

	/** Between the end of our sessions and that of the web server. */
	private static final int PHASE = DEFAULT_PHASE - 512;

	private final Consumer<ServletContext> closeAll;

	private @Nullable ServletContext servletContext;

	private volatile boolean running;

	/**
	 * Creates the lifecycle.
	 * @param closeAll closes the sessions of the container that has a servlet context, if
	 * it is the right one
	 */
	ContainerSessionsLifecycle(Consumer<ServletContext> closeAll) {
		this.closeAll = closeAll;
	}

	@Override
	public void setServletContext(ServletContext servletContext) {
		this.servletContext = servletContext;
	}

	@Override
	public void start() {
		this.running = true;
	}

	@Override
	public void stop() {
		if (this.servletContext != null) {
			this.closeAll.accept(this.servletContext);
		}
		this.running = false;
	}

	@Override
	public void stop(Runnable callback) {
		Thread closing = new Thread(() -> {
			try {
				stop();
			}
			finally {
				callback.run();
			}
		}, "sluice-container-sessions");
		closing.setDaemon(true);
		closing.start();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/** A pause leaves the web server alone, and so its sessions. */
	@Override
	public boolean isPauseable() {
		return false;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
