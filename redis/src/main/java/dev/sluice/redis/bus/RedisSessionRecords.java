package dev.sluice.redis.bus;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;

import dev.sluice.bus.SessionClaim;
import dev.sluice.bus.SessionRecord;
import dev.sluice.bus.SessionRecords;
import dev.sluice.redis.bus.partition.Partitions;
import dev.sluice.redis.connection.KeyNames;
import dev.sluice.redis.connection.Script;
import io.lettuce.core.ScriptOutputType;
import org.jspecify.annotations.Nullable;

/**
 * Records of sessions in Redis. A record is a string with an expiry: node, incarnation, a
 * digest of the owner, secrets and content. The owner is a digest, as its name may be
 * long and contains a path that the client chooses.
 */
final class RedisSessionRecords implements SessionRecords {

	/*
	 * Each change of a session is one script on one key, so claims are serialized.
	 * Attacked by RedisBusRecordsContractTests.
	 */

	private static final String UNREADABLE = "?";

	/** Node and incarnation are shorter. */
	private static final int MAX_START = 39;

	private final BusNames names;

	private final String node;

	private final BusCommands commands;

	private final UnreadableEntries unreadable;

	/**
	 * Creates the records of a node.
	 * @param unreadable the log of records that are not in the format of the bus
	 */
	RedisSessionRecords(BusNames names, String node, BusCommands commands, UnreadableEntries unreadable) {
		this.names = names;
		this.node = node;
		this.commands = commands;
		this.unreadable = unreadable;
	}

	@Override
	public CompletableFuture<Boolean> keep(SessionRecord record, Duration time) {
		return this.commands
			.<Long>run(record.content().length(), Script.BUS_KEEP, ScriptOutputType.INTEGER, keys(record.key()),
					millis(time), record.node(), Long.toString(record.incarnation()), digest(record.owner()),
					String.join(",", record.secrets()), record.content())
			.thenApply((done) -> done > 0);
	}

	@Override
	public CompletableFuture<@Nullable SessionRecord> claim(SessionClaim claim, Duration time) {
		return this.commands
			.<String>run(claim.key().length(), Script.BUS_CLAIM, ScriptOutputType.VALUE, keys(claim.key()),
					millis(time), this.node, digest(claim.owner()), claim.secret(), claim.nextSecret())
			.thenApply((kept) -> record(claim, kept));
	}

	private @Nullable SessionRecord record(SessionClaim claim, String kept) {
		if (kept.equals(UNREADABLE)) {
			this.unreadable.warn(new IllegalArgumentException("No record of a session"));
			return null;
		}
		return kept.isEmpty() ? null : BusReplies.record(claim.key(), claim.owner(), kept);
	}

	/** Reads the start of the record, as its content may be large. */
	@Override
	public CompletableFuture<Boolean> isLatest(String key, long incarnation) {
		String name = this.names.session(key);
		return this.commands
			.sent(key.length(), Partitions.in(name),
					(connection) -> connection.send((redis) -> redis.getrange(name, 0, MAX_START)))
			.thenApply((start) -> BusReplies.isIncarnation(start, incarnation));
	}

	@Override
	public CompletableFuture<@Nullable Void> forget(String key, long incarnation) {
		return this.commands
			.<Long>run(key.length(), Script.BUS_FORGET, ScriptOutputType.INTEGER, keys(key), Long.toString(incarnation))
			.thenApply((removed) -> null);
	}

	private String[] keys(String key) {
		return new String[] { this.names.session(key) };
	}

	private static String millis(Duration time) {
		return Long.toString(Math.max(1, time.toMillis()));
	}

	private static String digest(String owner) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256")
				.digest(KeyNames.escape(owner).getBytes(StandardCharsets.UTF_8));
			return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

}
