package dev.sluice.sample;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;

import dev.sluice.sample.nodes.TwoNodes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The page on two nodes over Redis, one of which is killed. */
@Tag("browser")
@Tag("full")
class TwoNodesTests {

	private static TwoNodes nodes;

	private static Browser first;

	private static Browser second;

	@BeforeAll
	static void start() throws IOException, InterruptedException {
		nodes = TwoNodes.start(Redirect.appendTo(new File("target/two-nodes.log")), 0, 0);
		first = new Browser();
		second = new Browser();
	}

	@AfterAll
	static void stop() {
		nodes.stop();
		first.close();
		second.close();
	}

	@Test
	void thePageOfAKilledNodeGoesOnAtTheOtherWithItsAccountAndMissesNothing() throws InterruptedException {
		String node = connect(first, 0);
		String other = connect(second, 1);
		assertThat(node).isNotEqualTo(other);
		write(first, "Soup is out");
		awaitLines(second, 1);
		write(second, "So is bread");
		awaitLines(first, 2);

		first.type("#amount", "30").click("[value=withdraw]").awaitText("#balance", "70");

		nodes.process(0).destroyForcibly().waitFor();
		write(second, "Lights are out");
		first.awaitTexts("#frames .note", 3)
			.awaitText("#status", "Online")
			.awaitText("#node", other)
			.awaitText("#balance", "70");
		assertThat(first.texts("#frames .note")).containsExactly("connected", "disconnected, code 1006", "connected");
		write(first, "Candles are in");
		awaitLines(second, 4);
		write(second, "All is well");
		String[] lines = { node + " Soup is out", other + " So is bread", other + " Lights are out",
				other + " Candles are in", other + " All is well" };
		awaitLines(first, lines.length);
		awaitLines(second, lines.length);
		assertThat(first.texts("#board p")).containsExactly(lines);
		assertThat(second.texts("#board p")).containsExactly(lines);
		first.type("#amount", "20").click("[value=withdraw]").awaitText("#balance", "50");
		assertThat(second.texts("#frames .note")).containsExactly("connected");
		assertThat(second.consoleErrors()).isEmpty();
	}

	/** Connects a page, and returns its node. */
	private static String connect(Browser browser, int address) {
		return browser.open("http://localhost:" + nodes.port(address))
			.click("#connect")
			.awaitText("#status", "Online")
			.awaitText("#node", (name) -> name.length() > 1)
			.text("#node");
	}

	private static void write(Browser browser, String note) {
		browser.type("#note", note).click("#write");
	}

	private static void awaitLines(Browser browser, int count) {
		browser.awaitTexts("#board p", count);
	}

}
