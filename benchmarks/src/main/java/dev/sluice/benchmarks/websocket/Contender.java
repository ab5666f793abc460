package dev.sluice.benchmarks.websocket;

/** The layer between the container and the same handlers. */
enum Contender {

	PLAIN("plain Spring"),

	/** Plain Spring with {@link HandWrittenHandler}. */
	BY_HAND("Spring, by hand"),

	SLUICE("Sluice");

	final String title;

	Contender(String title) {
		this.title = title;
	}

}
