package dev.sluice.benchmarks.websocket;

/** The layer between the container and the same handlers. */
enum Contender {

	PLAIN("plain Spring"), SLUICE("Sluice");

	final String title;

	Contender(String title) {
		this.title = title;
	}

}
