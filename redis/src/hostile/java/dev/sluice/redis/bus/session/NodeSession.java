package dev.sluice.redis.bus.session;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketExtension;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;

/** A container's session that passes on what is written to its socket. */
final class NodeSession implements WebSocketSession {

	private final String id;

	private final String principal;

	private final BiConsumer<String, String> written;

	private final Map<String, Object> attributes = new ConcurrentHashMap<>();

	private volatile boolean open = true;

	NodeSession(String id, String principal, BiConsumer<String, String> written) {
		this.id = id;
		this.principal = principal;
		this.written = written;
	}

	@Override
	public String getId() {
		return this.id;
	}

	@Override
	public @Nullable URI getUri() {
		return null;
	}

	@Override
	public HttpHeaders getHandshakeHeaders() {
		return new HttpHeaders();
	}

	@Override
	public Map<String, Object> getAttributes() {
		return this.attributes;
	}

	@Override
	public Principal getPrincipal() {
		return () -> this.principal;
	}

	@Override
	public @Nullable InetSocketAddress getLocalAddress() {
		return null;
	}

	@Override
	public @Nullable InetSocketAddress getRemoteAddress() {
		return null;
	}

	@Override
	public @Nullable String getAcceptedProtocol() {
		return null;
	}

	@Override
	public void setTextMessageSizeLimit(int messageSizeLimit) {
	}

	@Override
	public int getTextMessageSizeLimit() {
		return 0;
	}

	@Override
	public void setBinaryMessageSizeLimit(int messageSizeLimit) {
	}

	@Override
	public int getBinaryMessageSizeLimit() {
		return 0;
	}

	@Override
	public List<WebSocketExtension> getExtensions() {
		return List.of();
	}

	@Override
	public void sendMessage(WebSocketMessage<?> message) {
		this.written.accept(this.id, message.getPayload().toString());
	}

	@Override
	public boolean isOpen() {
		return this.open;
	}

	@Override
	public void close() throws IOException {
		close(CloseStatus.NORMAL);
	}

	@Override
	public void close(CloseStatus status) {
		this.open = false;
	}

}
