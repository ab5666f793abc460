package dev.sluice.websocket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketExtension;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;

/** A container's session that keeps what it is told to send. */
public class StubSession implements WebSocketSession {

	public final BlockingQueue<Object> sent = new LinkedBlockingQueue<>();

	private final String id;

	private final Map<String, Object> attributes = new ConcurrentHashMap<>();

	private volatile boolean open = true;

	public StubSession(String id) {
		this.id = id;
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
	public @Nullable Principal getPrincipal() {
		return null;
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
	public void sendMessage(WebSocketMessage<?> message) throws IOException {
		this.sent.add(message.getPayload());
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
	public void close(CloseStatus status) throws IOException {
		this.open = false;
		this.sent.add(status);
	}

}
