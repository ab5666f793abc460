package dev.sluice.websocket.message;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.sluice.execution.Level;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.execution.TaskQueue;
import dev.sluice.internal.ClientNames;
import dev.sluice.websocket.MessageObserver;
import dev.sluice.websocket.PrincipalContext;
import dev.sluice.websocket.inbound.InboundMessage;
import dev.sluice.websocket.inbound.PrincipalTasks;
import dev.sluice.websocket.inbound.SessionInbound;
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
		SessionInbound inbound = new SessionInbound(null, queue, null, "type", MessageObserver.NONE,
				new PrincipalTasks(PrincipalContext.NONE), () -> false);
		Function<Principal, String> describe = (principal) -> new NamedMessage(inbound, principal).description();

		assertThat(describe.apply(THROWING)).isEqualTo(describe.apply(UNNAMED)).isEqualTo(describe.apply(null));
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

	/** A message of a client with some principal. */
	private static final class NamedMessage extends InboundMessage {

		private final Principal principal;

		NamedMessage(SessionInbound inbound, Principal principal) {
			super(inbound, 0, Level.NORMAL);
			this.principal = principal;
		}

		String description() {
			return describe();
		}

		@Override
		protected Principal principal() {
			return this.principal;
		}

		@Override
		protected CompletionStage<Void> handle() {
			return HANDLED;
		}

	}

}
