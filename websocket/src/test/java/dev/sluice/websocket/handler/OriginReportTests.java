package dev.sluice.websocket.handler;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.http.server.ServletServerHttpResponse;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.socket.handler.TextWebSocketHandler;
import org.springframework.web.socket.server.HandshakeInterceptor;
import org.springframework.web.socket.server.support.HttpSessionHandshakeInterceptor;
import org.springframework.web.socket.server.support.OriginHandshakeInterceptor;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class OriginReportTests {

	private final HandshakeInterceptor report = OriginReport
		.of(new OriginHandshakeInterceptor(List.of("https://own.example")));

	@Test
	void handshakeFromAnotherOriginIsRejectedAndLoggedOnce(CapturedOutput output) throws Exception {
		assertThat(isAllowed("https://other.example")).isFalse();
		assertThat(isAllowed("https://another.example")).isFalse();
		assertThat(output).containsOnlyOnce("https://other.example at /rooms")
			.contains("'setAllowedOrigins'")
			.doesNotContain("another");
	}

	@Test
	void handshakeFromAnAllowedOriginIsNotLogged(CapturedOutput output) throws Exception {
		assertThat(isAllowed("https://own.example")).isTrue();
		assertThat(output).doesNotContain("own.example");
	}

	@Test
	void otherInterceptorsAreKept() {
		HandshakeInterceptor other = new HttpSessionHandshakeInterceptor();
		HandshakeInterceptor derived = new OriginHandshakeInterceptor() {
		};
		assertThat(OriginReport.of(other)).isSameAs(other);
		assertThat(OriginReport.of(derived)).isSameAs(derived);
	}

	private boolean isAllowed(String origin) throws Exception {
		MockHttpServletRequest request = new MockHttpServletRequest("GET", "/rooms");
		request.addHeader("Origin", origin);
		return this.report.beforeHandshake(new ServletServerHttpRequest(request),
				new ServletServerHttpResponse(new MockHttpServletResponse()), new TextWebSocketHandler(), Map.of());
	}

}
