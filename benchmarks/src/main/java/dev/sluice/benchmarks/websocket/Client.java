package dev.sluice.benchmarks.websocket;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;
import org.jspecify.annotations.Nullable;

/** One connection. All its methods but {@link #opened} are called on its event loop. */
final class Client extends SimpleChannelInboundHandler<TextWebSocketFrame> {

	private final CompletableFuture<Client> opened = new CompletableFuture<>();

	private @Nullable Channel channel;

	private Consumer<Client> onAnswer = (client) -> {
	};

	private Consumer<Client> onUrgentAnswer = (client) -> {
	};

	/** Ends with the handshake. */
	CompletableFuture<Client> opened() {
		return this.opened;
	}

	Channel channel() {
		if (this.channel == null) {
			throw new IllegalStateException("There is no connection yet");
		}
		return this.channel;
	}

	/** Sets the receiver of answers. */
	void onAnswer(Consumer<Client> receiver) {
		this.onAnswer = receiver;
	}

	/** Sets the receiver of answers to urgent messages. */
	void onUrgentAnswer(Consumer<Client> receiver) {
		this.onUrgentAnswer = receiver;
	}

	void send(String text) {
		Channel to = channel();
		to.writeAndFlush(new TextWebSocketFrame(text), to.voidPromise());
	}

	@Override
	public void userEventTriggered(ChannelHandlerContext context, Object event) {
		if (event == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
			this.channel = context.channel();
			this.opened.complete(this);
		}
		else if (event == ClientHandshakeStateEvent.HANDSHAKE_TIMEOUT) {
			this.opened.completeExceptionally(new IllegalStateException("The handshake took too long"));
		}
	}

	@Override
	protected void channelRead0(ChannelHandlerContext context, TextWebSocketFrame frame) {
		boolean urgent = frame.content().getByte(frame.content().readerIndex()) == EchoServer.URGENT.charAt(0);
		(urgent ? this.onUrgentAnswer : this.onAnswer).accept(this);
	}

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
		this.opened.completeExceptionally(cause);
		context.close();
	}

}
