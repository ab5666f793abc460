package dev.sluice.websocket.container;

import java.io.IOException;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpUpgradeHandler;
import org.apache.tomcat.websocket.server.WsHttpUpgradeHandler;

import org.springframework.util.ClassUtils;

/**
 * A request whose connection is upgraded with {@link TomcatUpgradeHandler}, if the
 * container is Tomcat.
 */
public final class UpgradeRequest extends HttpServletRequestWrapper {

	private static final boolean TOMCAT = ClassUtils
		.isPresent("org.apache.tomcat.websocket.server.WsHttpUpgradeHandler", UpgradeRequest.class.getClassLoader());

	private final boolean direct;

	private UpgradeRequest(HttpServletRequest request, boolean direct) {
		super(request);
		this.direct = direct;
	}

	/**
	 * Returns the request.
	 * @param direct whether the application receives messages only once they are
	 * assembled
	 */
	public static HttpServletRequest of(HttpServletRequest request, boolean direct) {
		return TOMCAT ? new UpgradeRequest(request, direct) : request;
	}

	@Override
	public <T extends HttpUpgradeHandler> T upgrade(Class<T> handlerClass) throws IOException, ServletException {
		if (handlerClass != WsHttpUpgradeHandler.class) {
			return super.upgrade(handlerClass);
		}
		TomcatUpgradeHandler handler = super.upgrade(TomcatUpgradeHandler.class);
		handler.setDirect(this.direct);
		return handlerClass.cast(handler);
	}

}
