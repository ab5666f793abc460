package dev.sluice.websocket.container;

import java.net.URI;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Set;

import jakarta.websocket.CloseReason;
import jakarta.websocket.Extension;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.RemoteEndpoint;
import jakarta.websocket.Session;
import jakarta.websocket.WebSocketContainer;
import org.jspecify.annotations.Nullable;

/**
 * Stand-in for a session of the container that has ended, for handlers that still look at
 * it: what it told of its handshake is kept, and so are its properties. The container's
 * own may throw from then on, as it does for all else here.
 */
public final class EndedSession implements Session {

	private final Session ended;

	private final URI requestUri;

	private final String queryString;

	private final Map<String, List<String>> requestParameters;

	private final Map<String, String> pathParameters;

	private final Map<String, Object> userProperties;

	private final @Nullable Principal userPrincipal;

	private final String protocolVersion;

	private final String negotiatedSubprotocol;

	private final List<Extension> negotiatedExtensions;

	private final boolean secure;

	/**
	 * Keeps what there is to be known of a session that is about to end.
	 * @throws IllegalStateException if it has ended before
	 */
	public EndedSession(Session ending) {
		this.ended = ending;
		this.requestUri = ending.getRequestURI();
		this.queryString = ending.getQueryString();
		this.requestParameters = ending.getRequestParameterMap();
		this.pathParameters = ending.getPathParameters();
		this.userProperties = ending.getUserProperties();
		this.userPrincipal = ending.getUserPrincipal();
		this.protocolVersion = ending.getProtocolVersion();
		this.negotiatedSubprotocol = ending.getNegotiatedSubprotocol();
		this.negotiatedExtensions = ending.getNegotiatedExtensions();
		this.secure = ending.isSecure();
	}

	@Override
	public String getId() {
		return this.ended.getId();
	}

	@Override
	public boolean isOpen() {
		return false;
	}

	@Override
	public boolean isSecure() {
		return this.secure;
	}

	@Override
	public URI getRequestURI() {
		return this.requestUri;
	}

	@Override
	public String getQueryString() {
		return this.queryString;
	}

	@Override
	public Map<String, List<String>> getRequestParameterMap() {
		return this.requestParameters;
	}

	@Override
	public Map<String, String> getPathParameters() {
		return this.pathParameters;
	}

	@Override
	public Map<String, Object> getUserProperties() {
		return this.userProperties;
	}

	@Override
	public @Nullable Principal getUserPrincipal() {
		return this.userPrincipal;
	}

	@Override
	public String getProtocolVersion() {
		return this.protocolVersion;
	}

	@Override
	public String getNegotiatedSubprotocol() {
		return this.negotiatedSubprotocol;
	}

	@Override
	public List<Extension> getNegotiatedExtensions() {
		return this.negotiatedExtensions;
	}

	/** Does nothing more. */
	@Override
	public void close() {
	}

	/** Does nothing more. */
	@Override
	public void close(CloseReason closeReason) {
	}

	@Override
	public WebSocketContainer getContainer() {
		return this.ended.getContainer();
	}

	@Override
	public void addMessageHandler(MessageHandler handler) {
		this.ended.addMessageHandler(handler);
	}

	@Override
	public <T> void addMessageHandler(Class<T> type, MessageHandler.Whole<T> handler) {
		this.ended.addMessageHandler(type, handler);
	}

	@Override
	public <T> void addMessageHandler(Class<T> type, MessageHandler.Partial<T> handler) {
		this.ended.addMessageHandler(type, handler);
	}

	@Override
	public Set<MessageHandler> getMessageHandlers() {
		return this.ended.getMessageHandlers();
	}

	@Override
	public void removeMessageHandler(MessageHandler handler) {
		this.ended.removeMessageHandler(handler);
	}

	@Override
	public long getMaxIdleTimeout() {
		return this.ended.getMaxIdleTimeout();
	}

	@Override
	public void setMaxIdleTimeout(long milliseconds) {
		this.ended.setMaxIdleTimeout(milliseconds);
	}

	@Override
	public int getMaxBinaryMessageBufferSize() {
		return this.ended.getMaxBinaryMessageBufferSize();
	}

	@Override
	public void setMaxBinaryMessageBufferSize(int length) {
		this.ended.setMaxBinaryMessageBufferSize(length);
	}

	@Override
	public int getMaxTextMessageBufferSize() {
		return this.ended.getMaxTextMessageBufferSize();
	}

	@Override
	public void setMaxTextMessageBufferSize(int length) {
		this.ended.setMaxTextMessageBufferSize(length);
	}

	@Override
	public RemoteEndpoint.Async getAsyncRemote() {
		return this.ended.getAsyncRemote();
	}

	@Override
	public RemoteEndpoint.Basic getBasicRemote() {
		return this.ended.getBasicRemote();
	}

	@Override
	public Set<Session> getOpenSessions() {
		return this.ended.getOpenSessions();
	}

}
