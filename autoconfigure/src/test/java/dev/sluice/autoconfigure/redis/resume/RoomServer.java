package dev.sluice.autoconfigure.redis.resume;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;

import redis.embedded.RedisServer;

/** A Redis of a test's own. */
final class RoomServer implements AutoCloseable {

	private RedisServer server;

	private int port;

	RoomServer() {
		try {
			for (int attempt = 0; this.server == null || !this.server.isActive(); attempt++) {
				try (ServerSocket socket = new ServerSocket(0)) {
					this.port = socket.getLocalPort();
				}
				this.server = start(attempt);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private RedisServer start(int attempt) throws IOException {
		RedisServer made = RedisServer.newRedisServer().port(this.port).setting("save \"\"").build();
		try {
			made.start();
		}
		catch (IOException ex) {
			if (attempt == 9) {
				throw ex;
			}
		}
		return made;
	}

	int port() {
		return this.port;
	}

	@Override
	public void close() throws IOException {
		this.server.stop();
	}

}
