package dev.sluice.benchmarks.websocket;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;

/** Connections to one path of a server, all on one event loop of their own. */
final class Clients implements AutoCloseable {

	/** 64 bytes, as a small command has. */
	static final String MESSAGE = "0123456789abcdef".repeat(4);

	private static final int AT_ONCE = 50;

	/** Fewer than there are local ports for connections to one address. */
	private static final int AT_ONE_ADDRESS = 20_000;

	private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

	private final EventLoop loop = this.group.next();

	private final List<Client> clients = new ArrayList<>();

	/** Opens the connections. */
	Clients(int port, Load load, int count) {
		while (this.clients.size() < count) {
			List<Client> some = new ArrayList<>();
			for (int i = 0; i < Math.min(AT_ONCE, count - this.clients.size()); i++) {
				int address = 1 + this.clients.size() / AT_ONE_ADDRESS;
				some.add(connect(URI.create("ws://127.0.0." + address + ":" + port + load.path)));
			}
			some.forEach((client) -> client.opened().join());
			this.clients.addAll(some);
		}
	}

	private Client connect(URI uri) {
		Client client = new Client();
		WebSocketClientProtocolConfig config = WebSocketClientProtocolConfig.newBuilder()
			.webSocketUri(uri)
			.dropPongFrames(true)
			.build();
		new Bootstrap().group(this.group)
			.channel(NioSocketChannel.class)
			.option(ChannelOption.TCP_NODELAY, true)
			.handler(new ChannelInitializer<SocketChannel>() {

				@Override
				protected void initChannel(SocketChannel channel) {
					channel.pipeline()
						.addLast(new HttpClientCodec(), new HttpObjectAggregator(8192),
								new WebSocketClientProtocolHandler(config), client);
				}

			})
			.connect(uri.getHost(), uri.getPort());
		return client;
	}

	/** Calls something on the event loop and waits for its end. */
	<T> T call(Supplier<T> task) {
		return CompletableFuture.supplyAsync(task, this.loop).join();
	}

	/** Does something with each connection, on the event loop, and waits for the end. */
	void forEach(Consumer<Client> task) {
		CompletableFuture.runAsync(() -> this.clients.forEach(task), this.loop).join();
	}

	/** Calls something later on the event loop. */
	void schedule(Runnable task, long delay, TimeUnit unit) {
		this.loop.schedule(task, delay, unit);
	}

	/** Reads no more from any connection, once each has sent a message. */
	void stall() {
		forEach((client) -> {
			client.channel().config().setAutoRead(false);
			client.send(MESSAGE);
		});
	}

	@Override
	public void close() {
		this.group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
	}

}
