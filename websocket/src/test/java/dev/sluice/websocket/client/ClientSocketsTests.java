package dev.sluice.websocket.client;

import java.util.ArrayList;
import java.util.List;

import dev.sluice.client.fixture.Node;
import dev.sluice.client.fixture.ScriptedServer;
import dev.sluice.client.fixture.ScriptedServer.Connection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The client of browsers, in Node, over real sockets. */
@Tag("browser")
class ClientSocketsTests {

	private static final String SESSION = "{'type':'session','id':'n1','token':'t1','window':120}";

	private static final String JOINED = "{'type':'joined','topic':'room','at':'0'}";

	private ScriptedServer server;

	private Node node;

	@BeforeEach
	void start() throws Exception {
		this.server = new ScriptedServer();
		this.node = new Node("sockets.mjs", this.server.url());
	}

	@AfterEach
	void stop() throws Exception {
		this.node.close();
		this.server.close();
	}

	@Test
	void aConnectionThatIsCutInTheMiddleOfAMessageIsResumed() throws Exception {
		Connection connection = open();
		connection.say("{'type':'said','topic':'room','at':'5'}", "{'type':'receipt','seq':1}");
		awaitEvent("\"seq\":1");
		connection.cut();
		assertThat(awaitEvent("waiting")).contains("1006");
		Connection next = this.server.accept();
		assertThat(next.read()).isEqualTo("{\"type\":\"resume\",\"token\":\"t1\",\"at\":{\"room\":\"5\"},\"seq\":1}");
		next.say(resumed("t2"), "{'type':'receipt','seq':1}", "{'type':'receipt','seq':2}");
		assertThat(next.read()).isEqualTo("{\"type\":\"ack\",\"seq\":1}");
		assertThat(awaitEvent("\"seq\"")).contains("\"seq\":2");
		assertThat(next.read()).isEqualTo("{\"type\":\"ack\",\"seq\":2}");
	}

	@Test
	void aHalfOpenConnectionIsReplacedAndNotHeardAnyMore() throws Exception {
		Connection old = open();
		this.node.tell("reconnect");
		assertThat(old.read()).startsWith("close");
		Connection next = this.server.accept();
		assertThat(next.read()).contains("\"token\":\"t1\"");
		old.say("{'type':'said','topic':'room','at':'9'}").close(4409);
		next.say(resumed("t2"), "{'type':'said','topic':'room','at':'5'}");
		assertThat(awaitEvent("\"event\":\"message\"")).contains("\"at\":\"5\"");
		next.cut();
		assertThat(this.server.accept().read())
			.isEqualTo("{\"type\":\"resume\",\"token\":\"t2\",\"at\":{\"room\":\"5\"},\"seq\":0}");
	}

	@Test
	void goodbyesAndRejectedHandshakesDoNotEndIt() throws Exception {
		open().say("{'type':'goodbye','reconnect':[0.1,0.2]}").close(1001);
		assertThat(awaitEvent("waiting")).contains("1001");
		Connection stopping = this.server.accept();
		stopping.read();
		stopping.say("{'type':'goodbye','reconnect':[0,0]}").close(1001);
		this.server.take()
			.answer("503 Service Unavailable", "Retry-After: 1", "Content-Length: 0", "Connection: close");
		Connection next = this.server.accept();
		assertThat(next.read()).contains("\"token\":\"t1\"");
		next.say(resumed("t2"));
		awaitEvent("resumed");
	}

	@Test
	void aSessionThatIsForgottenBeginsAnew() throws Exception {
		Connection connection = open().say("{'type':'receipt','seq':7}");
		awaitEvent("\"seq\":7");
		connection.cut();
		Connection next = this.server.accept();
		assertThat(next.read()).contains("\"seq\":7");
		next.say(SESSION.replace("}", ",'rejected':'expired'}"), "{'type':'receipt','seq':1}");
		assertThat(awaitEvent("rejected")).contains("expired");
		awaitEvent("\"seq\":1");
		assertThat(next.read()).isEqualTo("{\"type\":\"ack\",\"seq\":1}");
	}

	@Test
	void whatTheApplicationSendsArrivesAndACloseEndsTheSession() throws Exception {
		Connection connection = open();
		this.node.tell("{\"type\":\"say\",\"text\":\"hi\"}");
		assertThat(connection.read()).isEqualTo("{\"type\":\"say\",\"text\":\"hi\"}");
		this.node.tell("close");
		assertThat(connection.read()).isEqualTo("close 1000");
		awaitEvent("closed");
	}

	private Connection open() throws Exception {
		Connection connection = this.server.accept();
		assertThat(connection.read()).isEqualTo("{\"type\":\"resume\"}");
		connection.say(SESSION, JOINED);
		awaitEvent("\"event\":\"session\"");
		return connection;
	}

	private static String resumed(String token) {
		return "{'type':'resumed','id':'n2','token':'" + token
				+ "','window':120,'recovered':{'room':true},'direct':true}";
	}

	private String awaitEvent(String part) {
		List<String> passed = new ArrayList<>();
		while (passed.size() < 20) {
			String line = this.node.line();
			if (line.contains(part)) {
				return line;
			}
			passed.add(line);
		}
		throw new AssertionError("No event with '" + part + "' among " + passed);
	}

}
