package dev.sluice.websocket.endpoint;

import java.util.List;

import dev.sluice.websocket.InvalidEndpointException;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.SessionTypeResolver;
import dev.sluice.websocket.endpoint.EndpointSelection.Endpoint;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.socket.WebSocketHttpHeaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Which class of a path serves a handshake. */
class EndpointSelectionTests {

	private final Endpoint plain = endpoint(Plain.class);

	private final Endpoint old = endpoint(Old.class, "v1", "v2");

	private final Endpoint recent = endpoint(Recent.class, "v3");

	@Test
	void theSubProtocolThatTheClientPrefersDecides() throws Exception {
		EndpointSelection path = path(null, this.plain, this.old, this.recent);
		assertThat(path.handler(request("v2, v3"))).isSameAs(this.old.handler());
		assertThat(path.handler(request("v3, v2"))).isSameAs(this.recent.handler());
		assertThat(path.handler(request("v9, v3"))).isSameAs(this.recent.handler());
	}

	@Test
	void whoAsksForNoneThatIsKnownGetsTheClassWithoutAny() throws Exception {
		EndpointSelection path = path(null, this.old, this.plain);
		assertThat(path.handler(request(null))).isSameAs(this.plain.handler());
		assertThat(path.handler(request("v9"))).isSameAs(this.plain.handler());
	}

	@Test
	void whoAsksForNoneThatIsKnownIsRejectedWhereEachClassHasSome() throws Exception {
		EndpointSelection path = path(null, this.old);
		assertThat(status(path, request(null))).isEqualTo(400);
		assertThat(status(path, request("v9"))).isEqualTo(400);
	}

	@Test
	void classesThatCannotBeToldApartStopTheStart() {
		assertThatExceptionOfType(InvalidEndpointException.class)
			.isThrownBy(() -> path(null, this.plain, endpoint(Other.class)))
			.withMessageContaining("'/bank'")
			.withMessageContaining(Plain.class.getName())
			.satisfies((ex) -> assertThat(ex.action()).contains("subProtocols", "SessionTypeResolver"));
		assertThatExceptionOfType(InvalidEndpointException.class)
			.isThrownBy(() -> path(null, this.old, endpoint(Other.class, "v0", "v2")));
	}

	@Test
	void aResolverChoosesAmongThoseThatTheSubProtocolLeaves() throws Exception {
		Endpoint other = endpoint(Other.class, "v2");
		EndpointSelection path = path((request, candidates) -> {
			assertThat(candidates).containsExactly(Old.class, Other.class);
			return Other.class;
		}, this.plain, this.old, other, this.recent);
		assertThat(path.handler(request("v2"))).isSameAs(other.handler());
	}

	@Test
	void aResolverWithoutOpinionLeavesTheOnlyOne() throws Exception {
		EndpointSelection path = path((request, candidates) -> null, this.plain, this.old);
		assertThat(path.handler(request("v1"))).isSameAs(this.old.handler());
	}

	@Test
	void aResolverWithoutOpinionOnSeveralRejects() throws Exception {
		EndpointSelection path = path((request, candidates) -> null, this.plain, endpoint(Other.class));
		assertThat(status(path, request(null))).isEqualTo(400);
	}

	@Test
	void aResolverIsNotAskedWhereNothingIsLeft() throws Exception {
		EndpointSelection path = path((request, candidates) -> {
			throw new AssertionError(candidates);
		}, this.old);
		assertThat(status(path, request("v9"))).isEqualTo(400);
	}

	@Test
	void aResolverThatChoosesAnotherClassFails() {
		EndpointSelection path = path((request, candidates) -> Recent.class, this.plain, this.recent);
		assertThatIllegalStateException().isThrownBy(() -> path.handler(request(null)))
			.withMessageContaining(Recent.class.getName())
			.withMessageContaining(Plain.class.getName());
	}

	private static EndpointSelection path(@Nullable SessionTypeResolver resolver, Endpoint... endpoints) {
		EndpointSelection path = new EndpointSelection("/bank", resolver);
		List.of(endpoints).forEach(path::add);
		return path;
	}

	private static Endpoint endpoint(Class<? extends ManagedSession> type, String... subProtocols) {
		HttpRequestHandler handler = (request, response) -> {
			throw new AssertionError(type);
		};
		return new Endpoint(type, List.of(subProtocols), handler);
	}

	private static MockHttpServletRequest request(@Nullable String subProtocols) {
		MockHttpServletRequest request = new MockHttpServletRequest("GET", "/bank");
		if (subProtocols != null) {
			request.addHeader(WebSocketHttpHeaders.SEC_WEBSOCKET_PROTOCOL, subProtocols);
		}
		return request;
	}

	private static int status(EndpointSelection path, MockHttpServletRequest request) throws Exception {
		MockHttpServletResponse response = new MockHttpServletResponse();
		path.handler(request).handleRequest(request, response);
		return response.getStatus();
	}

	static class Plain extends ManagedSession {

	}

	static class Old extends ManagedSession {

	}

	static class Recent extends ManagedSession {

	}

	static class Other extends ManagedSession {

	}

}
