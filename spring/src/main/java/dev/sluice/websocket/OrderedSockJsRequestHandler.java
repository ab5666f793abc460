package dev.sluice.websocket;

import java.io.IOException;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.sockjs.SockJsService;
import org.springframework.web.socket.sockjs.support.SockJsHttpRequestHandler;

/** Serves SockJS, on connections that are upgraded to ours. */
final class OrderedSockJsRequestHandler extends SockJsHttpRequestHandler {

	OrderedSockJsRequestHandler(SockJsService service, WebSocketHandler handler) {
		super(service, handler);
	}

	@Override
	public void handleRequest(HttpServletRequest request, HttpServletResponse response)
			throws ServletException, IOException {
		super.handleRequest(UpgradeRequest.of(request), response);
	}

}
