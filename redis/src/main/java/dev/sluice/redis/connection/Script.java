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

	SLIDING_LOG("clock", "types", "head", "sliding-log", "rate"),

	WINDOW("clock", "take", "window-take", "types", "head", "buckets", "window", "rate"),

	DYNAMIC_WINDOW("clock", "types", "head", "buckets", "dynamic-window", "rate"),

	TOKEN_BUCKET("clock", "take", "token-bucket-take", "types", "head", "token-bucket", "rate"),

	CONCURRENCY("clock", "types", "head", "concurrency"),

	MOVE("clock", "types", "head", "move"),

	DEFINE("types", "define"),

	CHECK_LIMITS("check-limits", "check"),

	CHECK_BUS("check-bus", "check"),

	COUNTS("types", "counts"),

	NODES("types", "nodes"),

	BUS_BEAT("types", "bus-lease", "bus-beat"),

	BUS_BROADCAST("types", "bus-lease", "bus-broadcast"),

	BUS_JOIN("types", "bus-position", "bus-join"),

	BUS_OCCUPY("types", "bus-lease", "bus-occupy", "bus-position", "bus-join"),

	BUS_LEAVE("types", "bus-leave"),

	BUS_ROUTE("types", "bus-lease", "bus-nodes", "bus-route"),

	BUS_PUBLISH("types", "bus-lease", "bus-position", "bus-nodes", "bus-publication", "bus-publish"),

	BUS_ENTER("types", "bus-lease", "bus-position", "bus-nodes", "bus-publication", "bus-enter"),

	BUS_EXIT("types", "bus-lease", "bus-position", "bus-nodes", "bus-publication", "bus-exit"),

	BUS_PRESENT("types", "bus-present"),

	BUS_READ("types", "bus-position", "bus-read"),

	BUS_KEEP("types", "bus-keep"),

	BUS_CLAIM("types", "bus-claim"),

	BUS_FORGET("types", "bus-forget");

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
