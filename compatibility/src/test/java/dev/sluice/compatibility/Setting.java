package dev.sluice.compatibility;

import java.util.List;
import java.util.stream.Stream;

/** A container, and where clients find the paths of an application on it. */
record Setting(Container container, Placement placement) {

	/** Returns all settings of the tests. */
	static List<Setting> all() {
		Stream<Setting> roots = Stream.of(Container.values())
			.map((container) -> new Setting(container, Placement.ROOT));
		return Stream.concat(roots, prefixed().stream()).toList();
	}

	/**
	 * Returns the settings in which paths of clients have a prefix. Those behind a proxy
	 * do not depend on the container.
	 */
	private static List<Setting> prefixed() {
		Stream<Setting> containers = Stream.of(Container.values())
			.flatMap((container) -> Stream.of(Placement.CONTEXT_PATH, Placement.SERVLET_PATH)
				.map((placement) -> new Setting(container, placement)));
		Stream<Setting> proxies = Stream.of(Placement.STRIPPED_PREFIX, Placement.FORWARDED_PREFIX)
			.map((placement) -> new Setting(Container.TOMCAT, placement));
		return Stream.concat(containers, proxies).toList();
	}

	/** Returns one setting for each kind of prefix, for comparisons of two servers. */
	static List<Setting> compared() {
		return List.of(new Setting(Container.TOMCAT, Placement.FORWARDED_PREFIX),
				new Setting(Container.JETTY, Placement.SERVLET_PATH),
				new Setting(Container.TOMCAT, Placement.CONTEXT_PATH));
	}

}
