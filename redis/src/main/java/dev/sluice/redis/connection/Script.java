package dev.sluice.redis.connection;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.lettuce.core.codec.Base16;

/** Lua scripts that run atomically on the server, composed of resources. */
public enum Script {

	SLIDING_LOG("clock", "head", "sliding-log", "rate"),

	WINDOW("clock", "take", "window-take", "head", "buckets", "window", "rate"),

	DYNAMIC_WINDOW("clock", "head", "buckets", "dynamic-window", "rate"),

	TOKEN_BUCKET("clock", "take", "token-bucket-take", "head", "token-bucket", "rate"),

	CONCURRENCY("clock", "head", "concurrency"),

	MOVE("clock", "head", "move"),

	DEFINE("define"),

	CHECK_LIMITS("check-limits", "check"),

	CHECK_BUS("check-bus", "check"),

	COUNTS("counts"),

	NODES("nodes"),

	BUS_BEAT("bus-beat"),

	BUS_BROADCAST("bus-broadcast"),

	BUS_JOIN("bus-join"),

	BUS_OCCUPY("bus-occupy", "bus-join"),

	BUS_LEAVE("bus-leave"),

	BUS_ROUTE("bus-nodes", "bus-route"),

	BUS_PUBLISH("bus-nodes", "bus-publication", "bus-publish"),

	BUS_ENTER("bus-nodes", "bus-publication", "bus-enter"),

	BUS_EXIT("bus-nodes", "bus-publication", "bus-exit"),

	BUS_READ("bus-read"),

	BUS_KEEP("bus-keep"),

	BUS_CLAIM("bus-claim"),

	BUS_FORGET("bus-forget");

	private final String text;

	private final String digest;

	Script(String... parts) {
		this.text = Stream.of(parts).map(Script::read).collect(Collectors.joining("\n"));
		this.digest = Base16.digest(this.text.getBytes(StandardCharsets.UTF_8));
	}

	private static String read(String part) {
		try (InputStream resource = Script.class.getResourceAsStream(part + ".lua")) {
			if (resource == null) {
				throw new IllegalStateException("The script '" + part + ".lua' is missing");
			}
			return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public String text() {
		return this.text;
	}

	/** Returns the digest by which the server runs a text that it has run before. */
	String digest() {
		return this.digest;
	}

}
