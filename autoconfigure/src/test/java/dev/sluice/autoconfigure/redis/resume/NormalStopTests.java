package dev.sluice.autoconfigure.redis.resume;

import dev.sluice.test.socket.SocketClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** A normal stop of a node with limits, topics and a session in Redis. */
@Tag("full")
@Tag("redis")
@ExtendWith(OutputCaptureExtension.class)
class NormalStopTests {

	@Test
	void aNormalStopLogsNoWarning(CapturedOutput output) throws Exception {
		try (RoomServer redis = new RoomServer()) {
			RoomApplication application = RoomApplication.start(redis.port(), "sluice.store.type=redis",
					"sluice.throttles.commands.type=mutex", "sluice.websocket.shutdown-timeout=1s");
			try (SocketClient client = new SocketClient(application.port(), "/rooms/1")) {
				client.send("{\"type\":\"resume\"}");
				assertThat(client.next()).contains("session");
				application.close();
				assertThat(client.closeCode()).isEqualTo(1001);
			}
			assertThat(output.getAll()).doesNotContain(" WARN ", " ERROR ");
		}
	}

}
