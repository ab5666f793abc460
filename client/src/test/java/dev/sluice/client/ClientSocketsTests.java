package dev.sluice.client;

import java.net.URI;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.sluice.client.fixture.ScriptedServer;
import dev.sluice.client.fixture.ScriptedServer.Connection;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The client with what it uses by default, over real sockets. */
class ClientSocketsTests {

	private static final String SESSION = "{'type':'session','id':'n1','token':'t1','window':120}";

	private static final String JOINED = "{'type':'joined','topic':'room','at':'0'}";

	private final Listener listener = new Listener();

	private ScriptedServer server;

	private SluiceClient client;

	@BeforeEach
	void start() throws Exception {
		this.server = new ScriptedServer();
		this.client = SluiceClient.builder(URI.create(this.server.url()), this.listener)
			.pingInterval(Duration.ofSeconds(5))
			.connect();
	}

	@AfterEach
	void stop() throws Exception {
		this.client.close();
		this.server.close();
	}

	@Test
	void connectionThatIsCutInTheMiddleOfAMessageIsResumed() throws Exception {
		Connection connection = open();
		connection.say("{'type':'said','topic':'room','at':'5'}", "{'type':'receipt','seq':1}");
		this.listener.await("message {\"type\":\"receipt\",\"seq\":1}");
		connection.cut();
		Connection next = this.server.accept();
		assertThat(next.read()).isEqualTo("{\"type\":\"resume\",\"token\":\"t1\",\"at\":{\"room\":\"5\"},\"seq\":1}");
		next.say(resumed("t2"), "{'type':'receipt','seq':1}", "{'type':'receipt','seq':2}");
		assertThat(next.read()).isEqualTo("{\"type\":\"ack\",\"seq\":1}");
		this.listener.await("message {\"type\":\"receipt\",\"seq\":2}");
		assertThat(next.read()).isEqualTo("{\"type\":\"ack\",\"seq\":2}");
	}

	@Test
	void goodbyesAndRejectedHandshakesDoNotEndIt() throws Exception {
		open().say("{'type':'goodbye','reconnect':[0.1,0.2]}").close(1001);
		Connection stopping = this.server.accept();
		stopping.read();
		stopping.say("{'type':'goodbye','reconnect':[0,0]}").close(1001);
		long asked = System.nanoTime();
		this.server.take()
			.answer("503 Service Unavailable", "Retry-After: 1", "Content-Length: 0", "Connection: close");
		Connection next = this.server.accept();
		assertThat(Duration.ofNanos(System.nanoTime() - asked)).isGreaterThan(Duration.ofSeconds(1));
		assertThat(next.read()).contains("\"token\":\"t1\"");
		next.say(resumed("t2"));
		this.listener.await("resumed n2");
		assertThat(this.listener.error).isInstanceOf(WebSocketHandshakeException.class);
	}

	@Test
	void whatTheApplicationSendsArrivesInOrderAndACloseEndsTheSession() throws Exception {
		Connection connection = open();
		for (int i = 0; i < 100; i++) {
			assertThat(this.client.send(Map.of("n", i))).isTrue();
		}
		for (int i = 0; i < 100; i++) {
			assertThat(connection.read()).isEqualTo("{\"n\":" + i + "}");
		}
		this.client.close();
		assertThat(connection.read()).isEqualTo("close 1000");
		this.listener.await("state CLOSED");
	}

	@Test
	void connectionThatIsReplacedIsNotHeardAnyMore() throws Exception {
		Connection old = open();
		this.client.reconnect();
		assertThat(old.read()).isEqualTo("close 4410");
		Connection next = this.server.accept();
		assertThat(next.read()).contains("\"token\":\"t1\"");
		old.say("{'type':'said','topic':'room','at':'9'}").close(4409);
		next.say(resumed("t2"), "{'type':'said','topic':'room','at':'5'}");
		this.listener.await("message {\"type\":\"said\",\"topic\":\"room\",\"at\":\"5\"}");
	}

	private Connection open() throws Exception {
		Connection connection = this.server.accept();
		assertThat(connection.read()).isEqualTo("{\"type\":\"resume\"}");
		connection.say(SESSION, JOINED);
		this.listener.await("session n1");
		return connection;
	}

	private static String resumed(String token) {
		return "{'type':'resumed','id':'n2','token':'" + token
				+ "','window':120,'recovered':{'room':true},'direct':true}";
	}

	private static final class Listener implements ClientListener {

		private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

		private volatile @Nullable Throwable error;

		void await(String event) throws InterruptedException {
			String next = "";
			while (!next.equals(event)) {
				next = this.events.poll(30, TimeUnit.SECONDS);
				assertThat(next).as("an event, until '%s'", event).isNotNull();
			}
		}

		@Override
		public @Nullable CompletionStage<?> onMessage(ClientMessage message) {
			assertThat(message.json().path("at").asString("")).isNotEqualTo("9");
			this.events.add("message " + message.json());
			return null;
		}

		@Override
		public void onSession(NewSession session) {
			this.events.add("session " + session.id());
		}

		@Override
		public void onResumed(ResumedSession session) {
			this.events.add("resumed " + session.id());
		}

		@Override
		public void onStateChange(StateChange change) {
			this.events.add("state " + change.state());
		}

		@Override
		public void onError(Throwable error) {
			this.error = error;
		}

	}

}
