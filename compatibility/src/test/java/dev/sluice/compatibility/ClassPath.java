package dev.sluice.compatibility;

import java.io.File;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What an application has on its class path: part of what the tests have. */
record ClassPath(Container container, boolean starter, boolean cluster, Set<Addition> additions) {

	/** Of the starter and of nothing else. */
	private static final Pattern STARTER = Pattern
		.compile("sluice-.*|micrometer-core-.*|spring-boot-(actuator|health|micrometer).*");

	private static final Pattern TEST = Pattern.compile("junit-.*|assertj-.*|.*-test-.*");

	/** The class path of an application that may have added the starter. */
	static ClassPath of(Container container, boolean starter) {
		return new ClassPath(container, starter, true, Set.of());
	}

	/** Adds what not every application has. */
	ClassPath with(Addition... additions) {
		return new ClassPath(this.container, this.starter, this.cluster, Set.of(additions));
	}

	/** Leaves out the module of the cluster. */
	ClassPath withoutCluster() {
		return new ClassPath(this.container, this.starter, false, this.additions);
	}

	/**
	 * Creates a loader that shares no class with that of the tests but those of the JDK.
	 */
	URLClassLoader createLoader() {
		URL[] urls = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.map(Path::of)
			.filter(Predicate.not(this::excludes))
			.map(ClassPath::url)
			.toArray(URL[]::new);
		return new URLClassLoader(toString(), urls, ClassLoader.getPlatformClassLoader());
	}

	private boolean excludes(Path entry) {
		String name = entry.getFileName().toString();
		if (Files.isDirectory(entry)) {
			return (!this.starter && Files.exists(entry.resolve("dev/sluice")))
					|| (!this.cluster && Files.exists(entry.resolve("dev/sluice/cluster")));
		}
		if (!this.cluster && name.startsWith("sluice-cluster-")) {
			return true;
		}
		return this.container.excludes(name) || (!this.starter && STARTER.matcher(name).matches())
				|| Stream.of(Addition.values())
					.anyMatch((addition) -> !this.additions.contains(addition) && addition.has(name))
				|| TEST.matcher(name).matches();
	}

	private static URL url(Path entry) {
		try {
			return entry.toUri().toURL();
		}
		catch (MalformedURLException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public String toString() {
		return this.container + (this.starter ? " with the starter" : " without the starter");
	}

	/** Jars that an application has only if it asks for them. */
	enum Addition {

		SECURITY("spring-security-.*|spring-boot-security-.*"),

		GRAPHQL(".*graphql.*");

		private final Pattern jars;

		Addition(String jars) {
			this.jars = Pattern.compile(jars);
		}

		private boolean has(String jar) {
			return this.jars.matcher(jar).matches();
		}

	}

}
