package dev.sluice.compatibility;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;

import dev.sluice.compatibility.ClassPath.Addition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A dispatch centre, which has all that the starter offers, behind Spring Security.
 */
@Tag("full")
@ParameterizedClass
@MethodSource("dev.sluice.compatibility.Setting#all")
class DispatchTests {

	private static Server server;

	private final List<Link> links = new ArrayList<>();

	DispatchTests(Setting setting) {
	}

	@BeforeParameterizedClassInvocation
	static void start(Setting setting) {
		server = Server.start(ClassPath.of(setting.container(), true).with(Addition.SECURITY),
				"com.example.dispatch.DispatchApplication", setting.placement(), "spring.config.name=dispatch");
	}

	@AfterEach
	void leave() {
		this.links.forEach(Link::close);
		this.links.clear();
	}

	@AfterParameterizedClassInvocation
	static void stop() {
		server.close();
	}

	@Test
	void onlyVehiclesConnectAsVehicles() {
		assertThatExceptionOfType(CompletionException.class)
			.isThrownBy(() -> connect("/vehicle", "mercy", new Inbox()));
		assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> connect("/board", "north", new Inbox()));
	}

	@Test
	void positionsOfAVehicleAreAnsweredInOrderAndShownUpToALimit() {
		Inbox board = new Inbox();
		board("ben", board, "/topic/positions", "/user/queue/assigned").send(stomp("/app/recall", ""));
		assertThat(body(board.take(1))).isEqualTo("denied");
		Inbox vehicle = new Inbox();
		Link link = connect("/vehicle", "north", vehicle);
		assertThat(vehicle.take(1)).containsExactly("{\"welcome\":\"north\"}");
		IntStream.range(0, 21).forEach((i) -> link.send("{\"type\":\"position\",\"x\":" + i + ",\"y\":1}"));
		List<String> answers = vehicle.take(21);
		assertThat(answers.subList(0, 20))
			.isEqualTo(IntStream.rangeClosed(1, 20).mapToObj((i) -> "{\"moves\":" + i + "}").toList());
		assertThat(answers.get(20)).startsWith("{\"type\":\"throttled\",\"resource\":\"positions\"");
		assertThat(board.take(20)).allMatch((frame) -> frame.contains("north at "));
	}

	@Test
	void aCallGoesToOneVehicleOnly() {
		Inbox vehicle = new Inbox();
		connect("/vehicle", "south", vehicle);
		vehicle.take(1);
		int number = number(server.post("/calls", "anna", "Mill Lane"), server.post("/calls", "grace", "Mill Lane"));
		Inbox anna = new Inbox();
		Inbox ben = new Inbox();
		Link first = board("anna", anna, "/user/queue/assigned");
		Link second = board("ben", ben, "/user/queue/assigned");
		first.send(stomp("/app/assign/" + number, "south"));
		second.send(stomp("/app/assign/" + number, "south"));
		List<String> answers = List.of(body(anna.take(1)), body(ben.take(1)));
		assertThat(answers).containsExactlyInAnyOrder("south is on its way", "taken");
		assertThat(vehicle.take(1))
			.containsExactly("{\"type\":\"order\",\"number\":" + number + ",\"place\":\"Mill Lane\"}");
	}

	@Test
	void whatIsForTheChiefIsForTheChiefOfTheSession() {
		Inbox anna = new Inbox();
		Inbox ben = new Inbox();
		board("anna", anna, "/user/queue/assigned").send(stomp("/app/recall", ""));
		board("ben", ben, "/user/queue/assigned").send(stomp("/app/recall", ""));
		assertThat(body(anna.take(1))).isEqualTo("recalled");
		assertThat(body(ben.take(1))).isEqualTo("denied");
	}

	@Test
	void pagersArePagedByDispatchersOnly() {
		Inbox anna = new Inbox();
		Inbox north = new Inbox();
		Link dispatcher = connect("/pager/000/a/websocket", "anna", anna);
		Link vehicle = connect("/pager/000/b/websocket", "north", north);
		assertThat(List.of(anna.take(1), north.take(1))).containsOnly(List.of("o"));
		vehicle.send("[\"Fire\"]");
		assertThat(north.take(1)).containsExactly("a[\"denied\"]");
		dispatcher.send("[\"Fire\"]");
		assertThat(List.of(anna.take(1), north.take(1))).containsOnly(List.of("a[\"Alarm: Fire\"]"));
	}

	@Test
	void aHospitalOpensSoManyCallsAndIsThenTold() {
		HttpResponse<String> response = server.post("/calls", "mercy", "High Street");
		for (int i = 0; i < 3; i++) {
			response = server.post("/calls", "mercy", "High Street");
		}
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.headers().firstValue("Retry-After")).isPresent();
	}

	@Test
	void whatIsSaidInADistrictIsHeardThereOnly() {
		Inbox west = new Inbox();
		Inbox east = new Inbox();
		Link first = connect("/channel/west", "north", west);
		Link second = connect("/channel/east", "south", east);
		first.send("{\"type\":\"words\",\"text\":\"to all\"}");
		second.send("{\"type\":\"words\",\"text\":\"to all\"}");
		assertThat(west.take(1)).singleElement().asString().contains("\"district\":\"west\"");
		assertThat(east.take(1)).singleElement().asString().contains("\"district\":\"east\"");
	}

	@Test
	void theStaticFilesAreBelowThePrefix() {
		assertThat(server.get("/sluice/sluice-client.js", "anna")).contains("export");
		assertThat(server.get("/actuator/throttling", "olga")).contains("\"positions\"");
	}

	@Test
	void whatWasSentIsInTheJournalAndInTheMetrics() {
		Inbox vehicle = new Inbox();
		connect("/vehicle", "north", vehicle);
		vehicle.take(1);
		await().until(() -> Integer.parseInt(server.get("/protocol", "anna")) > 0);
		assertThat(server.get("/actuator/throttling", "anna")).isEqualTo("403");
		assertThat(server.get("/actuator/throttling", "olga")).contains("\"Vehicle\":1");
		assertThat(server.get("/actuator/metrics", "olga")).contains("sluice.");
		assertThat(server.get("/actuator/health", "olga")).contains("UP");
	}

	/** Returns the number of the call that the second opened; the first may not. */
	private static int number(HttpResponse<String> forbidden, HttpResponse<String> opened) {
		assertThat(forbidden.statusCode()).isEqualTo(403);
		return Integer.parseInt(opened.body().replaceAll(".*\"number\":(\\d+).*", "$1"));
	}

	private Link connect(String path, String user, Inbox inbox) {
		Link link = WebSocketLink.open(server, path, user, inbox);
		this.links.add(link);
		return link;
	}

	/** Connects a dispatcher, who subscribes before anything else. */
	private Link board(String user, Inbox inbox, String... destinations) {
		Link link = connect("/board", user, inbox);
		link.send("CONNECT\naccept-version:1.2\nhost:localhost\n\n\0");
		assertThat(inbox.take(1)).singleElement().asString().startsWith("CONNECTED");
		for (String destination : destinations) {
			link.send("SUBSCRIBE\nid:" + destination + "\ndestination:" + destination + "\n\n\0");
		}
		return link;
	}

	private static String stomp(String destination, String body) {
		return "SEND\ndestination:" + destination + "\n\n" + body + "\0";
	}

	private static String body(List<String> frames) {
		String frame = frames.get(0);
		return frame.substring(frame.indexOf("\n\n") + 2, frame.length() - 1);
	}

}
