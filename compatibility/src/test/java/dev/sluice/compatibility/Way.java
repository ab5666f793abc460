package dev.sluice.compatibility;

import java.util.UUID;
import java.util.function.Consumer;

/** The ways by which clients talk to the handlers, and to the controllers like them. */
enum Way {

	WEBSOCKET("/", WebSocketLink::new, false),

	SOCKJS_WEBSOCKET("/sockjs/", Way::openSockJs, false),

	SOCKJS_XHR_STREAMING("/sockjs/", XhrLink::new, false),

	STOMP("/", WebSocketLink::new, true),

	STOMP_OVER_SOCKJS_WEBSOCKET("/sockjs/", Way::openSockJs, true),

	STOMP_OVER_SOCKJS_XHR_STREAMING("/sockjs/", XhrLink::new, true);

	private final String prefix;

	private final Link.Opener opener;

	private final boolean stomp;

	Way(String prefix, Link.Opener opener, boolean stomp) {
		this.prefix = prefix;
		this.opener = opener;
		this.stomp = stomp;
	}

	/** Opens a link to a handler, or to the destination of its name. */
	Link open(Server server, String handler, Inbox inbox) {
		if (this.stomp) {
			return new StompLink(this.opener, server.port(), server.path(this.prefix + "stomp"), handler, inbox,
					inbox::end);
		}
		return this.opener.open(server.port(), server.path(this.prefix + handler), inbox, inbox::end);
	}

	/** Whether messages keep their order in an application of Spring alone. */
	boolean isOrdered() {
		return !this.stomp;
	}

	private static Link openSockJs(int port, String path, Consumer<String> received, Consumer<String> ended) {
		Link link = new WebSocketLink(port, path + "/000/" + UUID.randomUUID() + "/websocket",
				new SockJsFrames(received, ended), ended);
		return new Link() {

			@Override
			public void send(String text) {
				link.send(SockJsFrames.frame(text));
			}

			@Override
			public void close() {
				link.close();
			}

		};
	}

}
