package dev.sluice.redis.connection;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/** The texts of the scripts: what their heads say, and what a linter says of them. */
class ScriptTests {

	/** Names that a part provides, and that not every script uses. */
	private static final List<String> PROVIDED = List.of("channel", "me", "toShort", "evenIfFull", "fixed", "shares",
			"usable", "moving", "longestMove", "note", "readCalls", "writeCalls", "usedBefore", "isReadable",
			"isNumber", "isCounts", "unpacked", "EXACT", "latestTime", "latestEnd", "redis", "isAlive", "furthest");

	static Stream<Path> parts() throws IOException {
		Path folder = Path.of("src", "main", "resources", "dev", "sluice", "redis", "connection");
		try (Stream<Path> files = Files.list(folder)) {
			return files.filter((file) -> file.toString().endsWith(".lua")).sorted().toList().stream();
		}
	}

	@ParameterizedTest
	@MethodSource("parts")
	void aPartOpensWithWhatItTakesWhatIsBeforeItAndWhatItAnswers(Path part) throws IOException {
		List<String> head = Files.readAllLines(part).stream().takeWhile((line) -> line.startsWith("--")).toList();
		assertThat(head).first().asString().matches("-- [A-Z].+");
		assertThat(head.stream().map((line) -> line.replaceAll("^-- (Takes|Before|Answers): .+", "$1")))
			.containsSubsequence("Takes", "Before", "Answers");
	}

	/**
	 * Parts may define a name again that a part before them has, and change its value.
	 */
	@Tag("full")
	@ParameterizedTest
	@EnumSource
	void theTextPassesTheLinter(Script script) throws IOException, InterruptedException {
		assumeThat(Stream.of(System.getenv("PATH").split(":"))).as("luacheck, which '.ci/run tools' installs")
			.anyMatch((folder) -> Files.isExecutable(Path.of(folder, "luacheck")));
		List<String> command = new ArrayList<>(
				List.of("luacheck", "-", "--no-config", "--no-color", "--std", "lua51", "--max-line-length", "120",
						"--read-globals", "redis", "cmsgpack", "bit", "KEYS", "ARGV", "--ignore", "4..", "311"));
		PROVIDED.forEach((name) -> command.add("2../^" + name + "$"));
		Process linter = new ProcessBuilder(command).redirectErrorStream(true).start();
		linter.getOutputStream().write(script.text().getBytes(StandardCharsets.UTF_8));
		linter.getOutputStream().close();
		String found = new String(linter.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(linter.waitFor()).as(found).isZero();
	}

}
