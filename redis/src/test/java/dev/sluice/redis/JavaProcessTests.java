package dev.sluice.redis;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What a process has printed is known, however it ended. */
class JavaProcessTests {

	@Test
	void nothingIsMissingThatWasPrintedBeforeTheKill(@TempDir Path directory) throws Exception {
		Path count = Files.write(directory.resolve("count"), new byte[Long.BYTES]);
		try (JavaProcess process = JavaProcess.start(Printer.class, count.toString())) {
			await().atMost(Duration.ofSeconds(60)).until(() -> read(count) >= 5);

			List<String> printed = process.kill();

			assertThat(printed.contains("block " + read(count))).as("The last block is known").isTrue();
		}
	}

	private static long read(Path count) throws IOException {
		return ByteBuffer.wrap(Files.readAllBytes(count)).getLong();
	}

	/**
	 * Prints blocks faster than anybody reads, and notes in a file which it has printed.
	 */
	static final class Printer {

		private Printer() {
		}

		public static void main(String[] args) throws IOException {
			try (FileChannel count = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE)) {
				for (long block = 1;; block++) {
					String lines = "line\n".repeat(10_000) + "block " + block + '\n';
					System.out.write(lines.getBytes(StandardCharsets.US_ASCII));
					System.out.flush();
					count.write(ByteBuffer.allocate(Long.BYTES).putLong(0, block), 0);
				}
			}
		}

	}

}
