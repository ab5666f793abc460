package dev.sluice.benchmarks.cluster;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler.ClientHandshakeStateEvent;

/** Clients in rooms, all on one event loop, which has all of their state. */
final class RoomClients implements AutoCloseable {

	/** So many connect at a time. */
	private static final int AT_ONCE = 100;

	private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

	private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

	private final ChannelGroup channels = new DefaultChannelGroup(this.group.next());

	private final List<RoomClient> clients;

	private final Queue<RoomClient> waiting = new ArrayDeque<>();

	private int connecting;

	private int turn;

	/** Clients that lose their connection come back as long as there are any. */
	private volatile int[] ports = {};

	RoomClients(int count, int rooms, IntFunction<RoomClient> factory) {
		this.clients = IntStream.range(0, count).mapToObj((number) -> factory.apply(number % rooms)).toList();
	}

	/** Connects all clients to the given nodes in rotation. */
	void connect(int... present) {
		this.ports = present;
		this.group.execute(() -> {
			this.waiting.addAll(this.clients);
			connectSome();
		});
	}

	/** Clients that lose their connection connect to these nodes from now on. */
	void balance(int... present) {
		this.ports = present;
	}

	/** Ends all connections, as clients do whose network is lost; none comes back. */
	void abort() {
		stay();
		this.channels.close().syncUninterruptibly();
	}

	/** Clients that lose their connection do not reconnect. */
	void stay() {
		this.ports = new int[0];
	}

	private void connectSome() {
		while (this.connecting < AT_ONCE && this.ports.length > 0 && !this.waiting.isEmpty()) {
			this.connecting++;
			RoomClient client = this.waiting.remove();
			int port = this.ports[this.turn++ % this.ports.length];
			connect(client, URI.create("ws://127.0.0.1:" + port + client.path()));
		}
	}

	private void connect(RoomClient client, URI uri) {
		WebSocketClientProtocolConfig config = WebSocketClientProtocolConfig.newBuilder()
			.webSocketUri(uri)
			.sendCloseFrame(null)
			.build();
		Link link = new Link(client);
		new Bootstrap().group(this.group)
			.channel(NioSocketChannel.class)
			.handler(new ChannelInitializer<SocketChannel>() {

				@Override
				protected void initChannel(SocketChannel channel) {
					channel.pipeline()
						.addLast(new HttpClientCodec(), new HttpObjectAggregator(8192),
								new WebSocketClientProtocolHandler(config), link);
					RoomClients.this.channels.add(channel);
					channel.closeFuture().addListener((closed) -> link.ended());
				}

			})
			.connect(uri.getHost(), uri.getPort());
	}

	/** Returns how many are so. */
	long count(Predicate<RoomClient> condition) {
		return sum((client) -> condition.test(client) ? 1 : 0);
	}

	long sum(ToLongFunction<RoomClient> value) {
		return this.group.submit(() -> this.clients.stream().mapToLong(value).sum()).syncUninterruptibly().getNow();
	}

	long longestSilence() {
		return this.group.submit(() -> this.clients.stream().mapToLong(RoomClient::longestSilence).max().orElse(0))
			.syncUninterruptibly()
			.getNow();
	}

	/** Waits until all are so; returns whether they were in time. */
	boolean await(Predicate<RoomClient> condition) {
		long start = System.nanoTime();
		while (count(condition) < this.clients.size()) {
			if (System.nanoTime() - start > PATIENCE_NANOS) {
				return false;
			}
			LockSupport.parkNanos(POLL_NANOS);
		}
		return true;
	}

	@Override
	public void close() {
		stay();
		this.group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
	}

	/** One connection of a client. */
	private final class Link extends SimpleChannelInboundHandler<TextWebSocketFrame> {

		private final RoomClient client;

		private boolean pending = true;

		Link(RoomClient client) {
			this.client = client;
		}

		@Override
		public void userEventTriggered(ChannelHandlerContext context, Object event) {
			if (event == ClientHandshakeStateEvent.HANDSHAKE_COMPLETE) {
				this.client.opened((text) -> send(context.channel(), text));
				connected();
			}
		}

		private void connected() {
			if (this.pending) {
				this.pending = false;
				RoomClients.this.connecting--;
				connectSome();
			}
		}

		@Override
		protected void channelRead0(ChannelHandlerContext context, TextWebSocketFrame frame) {
			this.client.received(frame.text(), (text) -> send(context.channel(), text));
		}

		private void send(Channel channel, String text) {
			channel.writeAndFlush(new TextWebSocketFrame(text));
		}

		@Override
		public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
			context.close();
		}

		private void ended() {
			this.client.closed();
			connected();
			if (RoomClients.this.ports.length > 0) {
				RoomClients.this.group.schedule(() -> {
					RoomClients.this.waiting.add(this.client);
					connectSome();
				}, (long) (this.client.backOff() * 1e9), TimeUnit.NANOSECONDS);
			}
		}

	}

}
