package dev.sluice.websocket.container;

import java.io.IOException;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpUpgradeHandler;
import org.apache.tomcat.websocket.server.WsHttpUpgradeHandler;

import org.springframework.util.ClassUtils;

/** A request whose connection Tomcat, if it is Tomcat, upgrades to one of ours. */
public final class UpgradeRequest extends HttpServletRequestWrapper {

	private static final boolean TOMCAT = ClassUtils
		.isPresent("org.apache.tomcat.websocket.server.WsHttpUpgradeHandler", UpgradeRequest.class.getClassLoader());

	private UpgradeRequest(HttpServletRequest request) {
		super(request);
	}

	public static HttpServletRequest of(HttpServletRequest request) {
		return TOMCAT ? new UpgradeRequest(request) : request;
	}

	@Override
	public <T extends HttpUpgradeHandler> T upgrade(Class<T> handlerClass) throws IOException, ServletException {
		return (handlerClass == WsHttpUpgradeHandler.class)
				? handlerClass.cast(super.upgrade(TomcatUpgradeHandler.class)) : super.upgrade(handlerClass);
	}

}
