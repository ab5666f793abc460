package dev.sluice.journal;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import dev.sluice.websocket.WebSocketSessionManager;
import dev.sluice.websocket.journal.SentMessageRecorder;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A hundred sockets whose messages are journalled in a database. */
@Timeout(180)
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "sluice.journal.push-interval=50ms")
class JournalTests {

	private static final int SOCKETS = 100;

	private static final int MESSAGES = 30;

	@LocalServerPort
	private int port;

	@Autowired
	private JdbcTemplate jdbc;

	@Autowired
	private SentMessageRecorder recorder;

	@Autowired
	private WebSocketSessionManager sessions;

	@BeforeEach
	void empty() {
		await().until(() -> this.sessions.count() == 0 && this.recorder.snapshot().waiting() == 0);
		this.jdbc.execute("delete from sent_message");
	}

	@Test
	void thereIsExactlyOneRecordForEveryMessageSent() {
		exchange(SOCKETS);
		await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(count()).isEqualTo(SOCKETS * MESSAGES));
		assertThat(this.jdbc.queryForList("select session_id, count(*) as messages, count(distinct size) as sizes"
				+ " from sent_message where outcome = 'SENT' and level = 'NORMAL' and sent_at >= queued_at"
				+ " group by session_id"))
			.hasSize(SOCKETS)
			.allSatisfy((row) -> assertThat(row).containsEntry("MESSAGES", (long) MESSAGES)
				.containsEntry("SIZES", (long) MESSAGES));
	}

	@Test
	void aDatabaseThatCannotBeWrittenLosesNoMessageAndNoRecord() {
		long before = retries();
		this.jdbc.execute("alter table sent_message rename to away");
		try {
			exchange(SOCKETS);
			await().until(() -> retries() > before);
		}
		finally {
			this.jdbc.execute("alter table away rename to sent_message");
		}
		await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(count()).isEqualTo(SOCKETS * MESSAGES));
		assertThat(this.recorder.snapshot().slots().get(0).failed()).isZero();
	}

	/** Each socket sends its messages back to back and reads every answer. */
	private void exchange(int sockets) {
		List<EchoClient> clients = IntStream.range(0, sockets).mapToObj((i) -> new EchoClient(this.port)).toList();
		for (int i = 1; i <= MESSAGES; i++) {
			String message = "x".repeat(i);
			clients.forEach((client) -> client.send(message));
		}
		clients.forEach((client) -> assertThat(client.receive(MESSAGES)).hasSize(MESSAGES));
		clients.forEach(EchoClient::close);
	}

	private long retries() {
		return this.recorder.snapshot().slots().get(0).retries();
	}

	private int count() {
		return Objects.requireNonNull(this.jdbc.queryForObject("select count(*) from sent_message", Integer.class));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ EchoSession.class, JdbcJournal.class })
	static class Application {

		@Bean(destroyMethod = "dispose")
		JdbcConnectionPool dataSource() {
			return JdbcConnectionPool.create("jdbc:h2:mem:journal", "sa", "");
		}

		@Bean
		JdbcTemplate jdbcTemplate(DataSource dataSource) {
			JdbcTemplate jdbc = new JdbcTemplate(dataSource);
			jdbc.execute(JdbcJournal.TABLE);
			return jdbc;
		}

	}

	@WebSocketEndpoint("/echo")
	static class EchoSession extends ManagedSession {

		@OnMessage
		String text(String text) {
			return text;
		}

	}

}
