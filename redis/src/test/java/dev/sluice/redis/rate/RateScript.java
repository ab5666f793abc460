package dev.sluice.redis.rate;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

import dev.sluice.redis.connection.KeyNames;
import dev.sluice.redis.connection.Script;
import dev.sluice.throttle.Limit;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;

import static org.assertj.core.api.Assertions.assertThat;

/** The script of a rate, on a server whose clock can be set. */
final class RateScript {

	private final RedisCommands<String, String> redis;

	private final KeyNames names = new KeyNames("sluice:");

	private final CompiledRate terms;

	private final String text;

	private final String resource;

	RateScript(RedisCommands<String, String> redis, Limit limit, String resource) {
		this(redis, limit, resource, CompiledRate.of(limit).script().text());
	}

	private RateScript(RedisCommands<String, String> redis, Limit limit, String resource, String text) {
		this.redis = redis;
		this.terms = CompiledRate.of(limit);
		this.text = text.replace("redis.call('TIME')", "redis.call('MGET', 'now', 'zero')");
		this.resource = resource;
		assertThat(this.text).contains("'now'");
		redis.set("zero", "0");
	}

	/** Returns the script without what it answers first. */
	static RateScript withoutFirstAnswers(RedisCommands<String, String> redis, Limit limit, String resource) {
		Script script = CompiledRate.of(limit).script();
		String without = script.text().replace("ahead, values\nif", "ahead, values\nif false and");
		assertThat(without.equals(script.text())).isEqualTo(script == Script.SLIDING_LOG);
		return new RateScript(redis, limit, resource, without);
	}

	void setSeconds(long now) {
		this.redis.set("now", Long.toString(now));
	}

	List<Long> ask(String operation, String key, String... arguments) {
		List<String> all = new ArrayList<>(List.of(operation, "channel", "node"));
		all.addAll(List.of(this.terms.numbers()));
		if (this.terms.isShared()) {
			all.add(key);
		}
		all.addAll(List.of(arguments));
		return this.redis.eval(this.text, ScriptOutputType.MULTI, this.terms.keys(this.names, this.resource, key),
				all.toArray(new String[0]));
	}

	/** Returns what the server has of a key, but for who waits. */
	String state(String key) {
		return HexFormat.of().formatHex(Objects.requireNonNullElse(this.redis.dump(stateKey(key)), new byte[0]));
	}

	/** Returns for how many milliseconds the server has it. */
	long expiry(String key) {
		return this.redis.pttl(stateKey(key));
	}

	private String stateKey(String key) {
		return this.terms.keys(this.names, this.resource, key)[0];
	}

	/**
	 * Takes permits of a key.
	 * @return 0, or the microseconds to wait
	 */
	long take(String key, int permits) {
		List<Long> answer = ask("take", key, Integer.toString(permits), "1", "0", "node01", "");
		return (answer.size() > 2) ? answer.get(3) : 0;
	}

}
