package dev.sluice.guide;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.sluice.websocket.journal.LoggingSentMessageJournal;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of log messages in {@code docs/troubleshooting.md} has every logger of
 * warnings and errors, and no message that is never logged.
 */
class TroubleshootingTests {

	private static final Path ROOT = Path.of("..");

	private static final List<String> MODULES = List.of("core", "redis", "jdbc", "spring", "websocket", "cluster",
			"client", "autoconfigure");

	private static final Pattern WARNING = Pattern
		.compile("ogger\\.(?:warn|error)\\(|Level\\.(?:WARNING|ERROR)|new (?:BoundedLog|FailureLog)\\((?!Log )");

	private static final Pattern LOGGER = Pattern.compile(
			"getLog\\((\\w+)\\.(?:class|LOGGER)\\)|getLogger\\((\\w+)\\.class\\.getName\\(\\)\\)|getLogger\\(\"[\\w.]*?(\\w+)\"\\)");

	private static final Pattern MESSAGE = Pattern.compile("`([^`]+)`");

	@Test
	void everyLoggerOfWarningsIsListed() {
		Set<String> loggers = sources().filter((source) -> WARNING.matcher(source).find())
			.flatMap((source) -> LOGGER.matcher(source).results())
			.map(TroubleshootingTests::name)
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(loggers).hasSizeGreaterThan(30);
		assertThat(rows().map((row) -> row.get(0)).collect(Collectors.toSet()))
			.containsExactlyInAnyOrderElementsOf(loggers);
	}

	@Test
	void theMessagesAreLogged() {
		String literals = sources().map((source) -> source.replaceAll("\"\\s*\\+\\s*\"", ""))
			.collect(Collectors.joining("\n"));
		assertThat(rows().flatMap((row) -> MESSAGE.matcher(row.get(1)).results()).map((message) -> message.group(1)))
			.isNotEmpty()
			.allSatisfy((message) -> assertThat(literals).contains(message));
	}

	private static String name(MatchResult logger) {
		return logger.group().contains(".LOGGER") ? LoggingSentMessageJournal.LOGGER
				: Stream.of(1, 2, 3).map(logger::group).filter(Objects::nonNull).findFirst().orElseThrow();
	}

	private static Stream<List<String>> rows() {
		String page = read(ROOT.resolve("docs/troubleshooting.md"));
		return page.substring(page.indexOf("| logger |"))
			.lines()
			.skip(2)
			.takeWhile((line) -> line.startsWith("|"))
			.map((line) -> Stream.of(line.substring(1).split("\\|")).map(String::strip).toList());
	}

	private static Stream<String> sources() {
		return MODULES.stream().flatMap((module) -> {
			try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
				return files.filter((file) -> file.toString().endsWith(".java"))
					.map(TroubleshootingTests::read)
					.toList()
					.stream();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
