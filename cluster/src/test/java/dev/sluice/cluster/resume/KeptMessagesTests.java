package dev.sluice.cluster.resume;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.sluice.cluster.resume.outbox.DirectText;
import dev.sluice.cluster.resume.outbox.OutboxContents;
import dev.sluice.test.SettableClock;
import dev.sluice.test.trial.HostileValues;
import dev.sluice.websocket.message.BoundedLog;
import dev.sluice.websocket.message.JsonMessages;
import dev.sluice.websocket.message.WrittenMessage;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.web.socket.TextMessage;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Hostile values as direct messages and states of sessions that may be resumed: each is
 * rejected with the limit that it exceeds, or another node reads it back equal.
 */
class KeptMessagesTests {

	private final JsonMessages messages = new JsonMessages(JsonMapper.shared(), "type");

	private final BoundedLog unreadable = new BoundedLog(LogFactory.getLog(KeptMessagesTests.class),
			new SettableClock(), "unreadable");

	@Test
	void anythingIsRejectedWithTheLimitOrReadBack() {
		attack(200);
	}

	@Tag("hostile")
	@Test
	void muchMoreIsRejectedWithTheLimitOrReadBack() {
		attack(2_000);
	}

	private void attack(int times) {
		HostileValues values = HostileValues.create();
		int kept = 0;
		for (int number = 0; number < times; number++) {
			Object message = values.oneIn(3) ? values.text(60_000) : Objects.requireNonNullElse(values.value(), 1);
			DirectText text = text(message, values.seed());
			if (text != null) {
				kept++;
				check(message, text, values);
			}
		}
		assertThat(kept).isBetween(times / 4, times - 1);
	}

	private @Nullable DirectText text(Object message, long seed) {
		try {
			WrittenMessage written = this.messages.write(message);
			return DirectText.of(written);
		}
		catch (IllegalArgumentException | JacksonException ex) {
			assertThat(ex).as("seed %s", seed).message().containsPattern("\\d{3}|surrogate|'seq'|type");
			return null;
		}
	}

	private void check(Object message, DirectText text, HostileValues values) {
		Map<String, String> topics = new LinkedHashMap<>();
		topics.put(values.text(255), "7.node.1");
		List<OutboxContents.Kept> kept = new ArrayList<>();
		kept.add(new OutboxContents.Kept(1, "{\"a\":1"));
		kept.add(new OutboxContents.Kept(2, text.head()));
		kept.add(new OutboxContents.Kept(0, "{\"b\":2"));
		SessionContent content = new SessionContent(topics, values.oneIn(2),
				values.oneIn(2) ? values.text(4_000) : null, new OutboxContents(kept, 2, 0, false));

		SessionContent read = SessionContent.read(HostileValues.utf8(content.write()), this.unreadable);

		assertThat(read).as("seed %s", values.seed()).isEqualTo(content);
		JsonNode frame = JsonMapper.shared().readTree(text.numbered(2).getPayload());
		assertThat(frame.get("seq").asLong()).isEqualTo(2);
		TextMessage plain = (TextMessage) this.messages.write(message).message();
		if (!plain.getPayload().startsWith("{")) {
			assertThat(frame.get("data").stringValue()).isEqualTo(plain.getPayload());
		}
	}

}
