package dev.sluice.compatibility;

import java.util.Arrays;

/** Where clients find the paths of an application. */
enum Placement {

	ROOT(""),

	CONTEXT_PATH("/api", "server.servlet.context-path=/api"),

	SERVLET_PATH("/api", "spring.mvc.servlet.path=/api"),

	/** Behind a proxy that removes a prefix, which the application does not see. */
	STRIPPED_PREFIX("/api"),

	/** The same, but the application sees the prefix in a header. */
	FORWARDED_PREFIX("/api", "server.forward-headers-strategy=framework");

	private final String prefix;

	private final String[] properties;

	Placement(String prefix, String... properties) {
		this.prefix = prefix;
		this.properties = properties;
	}

	/** Returns the path that clients use for a path of the application. */
	String path(String path) {
		return this.prefix + path;
	}

	/** Returns the properties of the application, and those given. */
	String[] properties(String... others) {
		String[] all = Arrays.copyOf(others, others.length + this.properties.length);
		System.arraycopy(this.properties, 0, all, others.length, this.properties.length);
		return all;
	}

	/** Whether clients connect to a proxy. */
	boolean isProxied() {
		return this == STRIPPED_PREFIX || this == FORWARDED_PREFIX;
	}

}
