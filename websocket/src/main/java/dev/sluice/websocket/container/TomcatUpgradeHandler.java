package dev.sluice.websocket.container;

import java.util.List;
import java.util.Map;

import jakarta.servlet.http.WebConnection;
import jakarta.websocket.Extension;
import jakarta.websocket.server.ServerEndpointConfig;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.apache.tomcat.websocket.Transformation;
import org.apache.tomcat.websocket.server.WsHandshakeRequest;
import org.apache.tomcat.websocket.server.WsHttpUpgradeHandler;
import org.apache.tomcat.websocket.server.WsServerContainer;
import org.jspecify.annotations.Nullable;

/**
 * Upgrade handler for a WebSocket connection of Tomcat, with two differences. No thread
 * waits while the answer to a ping or a close frame is written, unless the connector has
 * no asynchronous I/O. Frames that must not be read yet stay in the buffer. It replaces
 * Tomcat's own handler when a connection is upgraded.
 *
 * @since 0.1.0
 */
public final class TomcatUpgradeHandler extends WsHttpUpgradeHandler {

	private final TomcatReading reading = TomcatReading.exact();

	private final TomcatControlChannel channel = new TomcatControlChannel(this.reading);

	/** Creates the handler; called by Tomcat, by reflection. */
	public TomcatUpgradeHandler() {
	}

	/**
	 * Called before the connection is opened.
	 * @param direct whether the application receives messages only once they are
	 * assembled
	 */
	void setDirect(boolean direct) {
		this.reading.setDirect(direct);
	}

	@Override
	public void preInit(ServerEndpointConfig serverEndpointConfig, WsServerContainer container,
			WsHandshakeRequest handshakeRequest, List<Extension> negotiatedExtensions, @Nullable String subProtocol,
			@Nullable Transformation transformation, Map<String, String> pathParameters, boolean secure) {
		if (transformation != null) {
			this.channel.setNext(transformation);
		}
		super.preInit(serverEndpointConfig, container, handshakeRequest, negotiatedExtensions, subProtocol,
				this.channel, pathParameters, secure);
	}

	@Override
	public void setSocketWrapper(SocketWrapperBase<?> socketWrapper) {
		super.setSocketWrapper(socketWrapper);
		this.channel.setSocket(socketWrapper);
	}

	@Override
	public void init(WebConnection connection) {
		this.channel.open(() -> super.init(connection));
		this.channel.opened();
	}

	@Override
	public SocketState upgradeDispatch(SocketEvent status) {
		if (status != SocketEvent.OPEN_READ) {
			return super.upgradeDispatch(status);
		}
		this.reading.enter();
		try {
			return super.upgradeDispatch(status);
		}
		finally {
			this.reading.leave();
		}
	}

}
