package dev.sluice.autoconfigure.redis.resume;

import java.time.Duration;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What clients find when nodes, which are processes, are killed under load. */
@Tag("redis")
@Tag("hostile")
@Timeout(600)
class KilledNodesHostileTests {

	@Test
	void clientsOfKilledNodesMissNothingWhereMessagesAreWrittenBeforeTheyAreSent() throws Exception {
		String outbox = "sluice.cluster.resume.outbox=redis";
		try (RoomServer redis = new RoomServer();
				RoomProcess first = new RoomProcess(redis.port(), outbox);
				RoomProcess second = new RoomProcess(redis.port(), outbox);
				RoomApplication publisher = RoomApplication.start(redis.port(), outbox)) {
			int survivor = second.port();
			first.port();
			await().atMost(Duration.ofMinutes(1)).until(() -> publisher.hears(3));
			try (RoomTrial trial = new RoomTrial(publisher, 5, 200, first.port())) {
				trial.load(Duration.ofMillis(500), Duration.ofMillis(5));
				await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
				trial.balance(survivor);
				first.kill();
				trial.awaitResumes(1);
				trial.rest();
				System.out.println("A killed node whose messages were written: " + trial);
				trial.assertNothingIsLost();
			}
		}
	}

	@Test
	void aThousandClientsOfKilledNodesMissNothingWithoutAWord() throws Exception {
		try (RoomServer redis = new RoomServer();
				RoomProcess first = new RoomProcess(redis.port());
				RoomProcess second = new RoomProcess(redis.port());
				RoomProcess third = new RoomProcess(redis.port());
				RoomApplication publisher = RoomApplication.start(redis.port())) {
			int survivor = third.port();
			int next = second.port();
			first.port();
			await().atMost(Duration.ofMinutes(2)).until(() -> publisher.hears(4));
			try (RoomTrial trial = new RoomTrial(publisher, 20, 1_000, first.port())) {
				trial.load(Duration.ofMillis(500), Duration.ofMillis(10));
				await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
				trial.balance(next, survivor);
				first.kill();
				trial.awaitResumes(1);
				trial.balance(survivor);
				second.kill();
				trial.awaitResumes();
				trial.rest();
				System.out.println("Killed nodes: " + trial);
				trial.assertNothingIsMissingWithoutAWord();
				assertThat(trial.losses()).isPositive();
			}
		}
	}

}
