package dev.sluice.compatibility;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * An application that runs in this process, with classes of its own: all that it and the
 * tests have to say to each other goes over sockets.
 */
final class Server implements AutoCloseable {

	private static final HttpClient HTTP = HttpClient.newHttpClient();

	private static final String EXISTING = "com.example.existing.ExistingApplication";

	private final URLClassLoader loader;

	private final Closeable context;

	private final Placement placement;

	private final @Nullable Proxy proxy;

	private final int port;

	private Server(URLClassLoader loader, Closeable context, Placement placement, int port) {
		this.loader = loader;
		this.context = context;
		this.placement = placement;
		this.proxy = placement.isProxied() ? new Proxy(placement.path(""), port) : null;
		this.port = (this.proxy != null) ? this.proxy.port() : port;
	}

	/** Starts the application that knows nothing of the starter. */
	static Server existing(Container container, boolean starter, String... properties) {
		return existing(container, starter, Placement.ROOT, properties);
	}

	/** The same, where clients find its paths elsewhere. */
	static Server existing(Container container, boolean starter, Placement placement, String... properties) {
		return start(ClassPath.of(container, starter), EXISTING, placement, properties);
	}

	/**
	 * Starts an application.
	 * @param classPath what it may see
	 * @param application the name of its class
	 * @param properties its properties, as of a command line, but without the dashes
	 * @throws IllegalStateException if it does not start; the cause is its own
	 */
	static Server start(ClassPath classPath, String application, String... properties) {
		return start(classPath, application, Placement.ROOT, properties);
	}

	/** The same, where clients find its paths elsewhere. */
	static Server start(ClassPath classPath, String application, Placement placement, String... properties) {
		URLClassLoader loader = classPath.createLoader();
		Thread thread = Thread.currentThread();
		ClassLoader before = thread.getContextClassLoader();
		thread.setContextClassLoader(loader);
		try {
			shareUrls(loader);
			Class<?> type = loader.loadClass("org.springframework.boot.SpringApplication");
			Object context = type.getMethod("run", Class.class, String[].class)
				.invoke(null, loader.loadClass(application), arguments(placement.properties(properties)));
			return new Server(loader, (Closeable) context, placement, port(loader, context));
		}
		catch (InvocationTargetException ex) {
			throw new IllegalStateException(classPath + " does not start: " + ex.getCause(), ex.getCause());
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
		finally {
			thread.setContextClassLoader(before);
		}
	}

	/** Keeps Tomcat from what can be done but once in a process. */
	private static void shareUrls(URLClassLoader loader) throws ReflectiveOperationException {
		String factory = "org.apache.catalina.webresources.TomcatURLStreamHandlerFactory";
		if (loader.findResource(factory.replace('.', '/') + ".class") != null) {
			loader.loadClass(factory).getMethod("disable").invoke(null);
		}
	}

	private static String[] arguments(String... properties) {
		List<String> arguments = new ArrayList<>(
				List.of("--server.port=0", "--spring.main.banner-mode=off", "--logging.level.root=off"));
		for (String property : properties) {
			arguments.add("--" + property);
		}
		return arguments.toArray(String[]::new);
	}

	private static int port(ClassLoader loader, Object context) throws ReflectiveOperationException {
		Object environment = loader.loadClass("org.springframework.core.env.EnvironmentCapable")
			.getMethod("getEnvironment")
			.invoke(context);
		return Integer.parseInt((String) loader.loadClass("org.springframework.core.env.PropertyResolver")
			.getMethod("getProperty", String.class)
			.invoke(environment, "local.server.port"));
	}

	/** Returns whether the class path has a class. */
	boolean has(String type) {
		return this.loader.findResource(type.replace('.', '/') + ".class") != null;
	}

	int port() {
		return this.port;
	}

	/** Returns the path that clients use for a path of the application. */
	String path(String path) {
		return this.placement.path(path);
	}

	/**
	 * Returns what the application answers to a GET, or the status if that is not 200.
	 */
	String get(String path) {
		return body(exchange(request(path)));
	}

	/** The same, for a user whose password is the name. */
	String get(String path, String user) {
		return body(exchange(request(path).header("Authorization", authorization(user))));
	}

	/** Sends a text, as such a user, and returns the whole response. */
	HttpResponse<String> post(String path, String user, String body) {
		return exchange(request(path).header("Authorization", authorization(user)).POST(BodyPublishers.ofString(body)));
	}

	/** Returns the header by which such a user says who it is. */
	static String authorization(String user) {
		return "Basic " + Base64.getEncoder().encodeToString((user + ":" + user).getBytes(StandardCharsets.UTF_8));
	}

	private static String body(HttpResponse<String> response) {
		return (response.statusCode() == 200) ? response.body() : String.valueOf(response.statusCode());
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + path(path)));
	}

	private static HttpResponse<String> exchange(HttpRequest.Builder request) {
		try {
			return HTTP.send(request.build(), BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		try {
			if (this.proxy != null) {
				this.proxy.close();
			}
			this.context.close();
			this.loader.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
