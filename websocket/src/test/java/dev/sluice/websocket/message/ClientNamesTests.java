package dev.sluice.websocket.message;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.execution.TaskQueue;
import dev.sluice.internal.ClientNames;
import dev.sluice.websocket.MessageObserver;
import dev.sluice.websocket.inbound.SessionInbound;
import dev.sluice.websocket.inbound.SessionObserver;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ClientNamesTests {

	private static final Principal UNNAMED = () -> null;

	private static final Principal THROWING = () -> {
		throw new AssertionError("expected");
	};

	@Test
	void findsTheNameOfAPrincipalThatHasOne() {
		assertThat(ClientNames.find(() -> "ann")).isEqualTo("ann");
		assertThat(ClientNames.find(null)).isNull();
		assertThat(ClientNames.find(UNNAMED)).isNull();
		assertThat(ClientNames.find(THROWING)).isNull();
	}

	@Test
	void requiresAName() {
		assertThat(ClientNames.require(() -> "ann")).isEqualTo("ann");
		assertThatIllegalStateException().isThrownBy(() -> ClientNames.require(UNNAMED));
		assertThat(catchFailure(() -> ClientNames.require(THROWING))).isInstanceOf(AssertionError.class);
	}

	@Test
	void messageOfAClientWithoutANameIsDescribed() {
		TaskQueue queue = SequentialLeveledTaskExecutor.builder(Runnable::run).build().queue("a");
		SessionInbound inbound = new SessionInbound(queue, null);
		SessionObserver observer = new SessionObserver(MessageObserver.NONE, "type", "a", inbound);

		assertThat(observer.describe(THROWING)).isEqualTo(observer.describe(UNNAMED))
			.isEqualTo(observer.describe(null));
	}

	/** Only the accessor calls code of the application that may throw. */
	@Test
	void noOtherClassReadsTheNameOfAPrincipal() throws IOException {
		Pattern unguarded = Pattern.compile(
				"\\b(principal|user|[gG]etPrincipal\\(\\)|[gG]etUser\\([^()]*(\\(\\))?\\)|principal\\(\\))\\.getName\\(\\)");
		for (String module : List.of("spring", "websocket", "cluster", "autoconfigure")) {
			try (Stream<Path> sources = Files.walk(Path.of("..", module, "src", "main", "java"))) {
				assertThat(sources.filter((path) -> path.toString().endsWith(".java"))
					.filter((path) -> unguarded.matcher(read(path)).find())).isEmpty();
			}
		}
	}

	@Test
	void textForTheLogIsOneLine() {
		assertThat(ClientNames.printable("a\r\n\u0085\u2028\u2029\u0000\tb \u00e9")).isEqualTo("a???????b \u00e9");
	}

	private static String read(Path path) {
		try {
			return Files.readString(path);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static @Nullable Throwable catchFailure(Runnable call) {
		try {
			call.run();
			return null;
		}
		catch (Throwable ex) {
			return ex;
		}
	}

}
