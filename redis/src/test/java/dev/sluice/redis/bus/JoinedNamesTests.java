package dev.sluice.redis.bus;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class JoinedNamesTests {

	private final List<String> told = new ArrayList<>();

	private final List<String> forgotten = new ArrayList<>();

	private CompletableFuture<String> answer = CompletableFuture.completedFuture("");

	private final JoinedNames names = new JoinedNames((name) -> {
		this.told.add(name);
		return this.answer;
	}, (name) -> {
		this.forgotten.add(name);
		return CompletableFuture.completedFuture(1L);
	});

	@Test
	void allNamesAreJoinedAgainSomeAtATime() {
		this.answer = new CompletableFuture<>();
		IntStream.range(0, 2500).forEach((index) -> this.names.add("name-" + index));
		CompletableFuture<?> all = this.names.joinAll((name) -> true);
		assertThat(this.told).as("under way at once").hasSize(1000);
		assertThat(all).isNotDone();
		this.answer.complete("");
		assertThat(all).isCompleted();
		assertThat(new HashSet<>(this.told)).hasSize(2500).hasSameSizeAs(this.told);
	}

	@Test
	void whatCannotBeJoinedIsKnown() {
		this.names.add("name");
		this.answer = CompletableFuture.failedFuture(new IllegalStateException("away"));
		assertThat(this.names.joinAll((name) -> true)).isCompletedExceptionally();
	}

	@Test
	void aNameThatIsLeftWhileItIsJoinedAgainIsLeftOnceMore() {
		this.names.add("left");
		this.names.add("kept");
		this.answer = new CompletableFuture<>();
		CompletableFuture<?> all = this.names.joinAll((name) -> true);
		this.names.remove("left");
		this.answer.complete("");
		assertThat(all).isCompleted();
		assertThat(this.forgotten).containsExactly("left");
	}

	@Test
	void eachNameHasItsTurnOfBeingRefreshed() {
		Set<String> expected = new HashSet<>();
		for (int index = 0; index < 10; index++) {
			this.names.add("name-" + index);
			expected.add("name-" + index);
		}
		IntStream.range(1, 4).forEach((call) -> this.names.refresh(4));
		assertThat(this.told).as("joined of late").isEmpty();
		for (int call = 0; call < 4; call++) {
			int before = this.told.size();
			this.names.refresh(4);
			assertThat(this.told.size() - before).isLessThanOrEqualTo(3);
		}
		assertThat(this.told).hasSize(10).containsExactlyInAnyOrderElementsOf(expected);
		IntStream.range(0, 4).forEach((call) -> this.names.refresh(4));
		assertThat(this.told).as("and again").hasSize(20);
	}

	@Test
	void fewNamesAreNotRefreshedEachTime() {
		this.names.add("name");
		IntStream.range(0, 1000).forEach((call) -> this.names.refresh(100));
		assertThat(this.told).hasSize(10);
	}

	@Test
	void nothingIsAskedForWhereThereIsNothing() {
		this.names.refresh(10);
		assertThat(this.names.joinAll((name) -> true)).isCompleted();
		assertThat(this.told).isEmpty();
	}

}
