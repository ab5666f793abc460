package dev.sluice.benchmarks.cluster;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;

/** Clients that count their messages, all on one event loop of their own. */
final class Members implements AutoCloseable {

	private static final int AT_ONCE = 50;

	private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

	private final String marker;

	private volatile CountDownLatch expected = new CountDownLatch(0);

	/**
	 * Creates no client yet.
	 * @param marker what each message contains that counts
	 */
	Members(String marker) {
		this.marker = marker;
	}

	/** Opens connections, and waits until they are open. */
	void connect(String url, int count) {
		for (int opened = 0; opened < count; opened += AT_ONCE) {
			List<CompletableFuture<?>> some = new ArrayList<>();
			for (int client = 0; client < Math.min(AT_ONCE, count - opened); client++) {
				some.add(connect(URI.create(url)));
			}
			some.forEach(CompletableFuture::join);
		}
	}

	private CompletableFuture<?> connect(URI uri) {
		CompletableFuture<?> opened = new CompletableFuture<>();
		WebSocketClientProtocolConfig config = WebSocketClientProtocolConfig.newBuilder().webSocketUri(uri).build();
		new Bootstrap().group(this.group)
			.channel(NioSocketChannel.class)
			.handler(new ChannelInitializer<SocketChannel>() {

				@Override
				protected void initChannel(SocketChannel channel) {
					channel.pipeline()
						.addLast(new HttpClientCodec(), new HttpObjectAggregator(8192),
								new WebSocketClientProtocolHandler(config), new Receiver(opened));
				}

			})
			.connect(uri.getHost(), uri.getPort());
		return opened;
	}

	/** Begins to count, down from so many messages of all clients together. */
	void expect(int messages) {
		this.expected = new CountDownLatch(messages);
	}

	/** Waits until all that was expected has arrived; returns whether it has in time. */
	boolean await(long seconds) {
		try {
			return this.expected.await(seconds, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while clients received", ex);
		}
	}

	@Override
	public void close() {
		this.group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
	}

	/** One client; answers the pings of Socket.IO. */
	private final class Receiver extends SimpleChannelInboundHandler<TextWebSocketFrame> {

		private final CompletableFuture<?> opened;

		Receiver(CompletableFuture<?> opened) {
			this.opened = opened;
		}

		@Override
		public void userEventTriggered(ChannelHandlerContext context, Object event) {
			if (event == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
				this.opened.complete(null);
			}
		}

		@Override
		protected void channelRead0(ChannelHandlerContext context, TextWebSocketFrame frame) {
			String text = frame.text();
			if (text.contains(Members.this.marker)) {
				Members.this.expected.countDown();
			}
			else if (text.startsWith("0{")) {
				context.writeAndFlush(new TextWebSocketFrame("40"));
			}
			else if (text.equals("2")) {
				context.writeAndFlush(new TextWebSocketFrame("3"));
			}
		}

	}

}
