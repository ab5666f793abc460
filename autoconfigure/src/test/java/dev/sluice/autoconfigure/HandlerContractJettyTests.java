package dev.sluice.autoconfigure;

import org.junit.jupiter.api.Tag;

/**
 * The same on a container whose reading cannot be stopped. Run without Tomcat on the
 * class path.
 */
@Tag("jetty")
@Tag("full")
class HandlerContractJettyTests extends HandlerContractTests {

	@Override
	boolean answersComeBeforeTheClose() {
		return false;
	}

	/** Jetty takes no larger one unless it is told to. */
	@Override
	int largeMessage() {
		return 64 * 1024;
	}

}
