package dev.sluice.aop;

import java.util.concurrent.CompletableFuture;

import dev.sluice.aop.spi.BlockingWaits;
import dev.sluice.throttle.AcquireRequest;
import dev.sluice.throttle.Limit;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class TransactionCompletionTests {

	private static final AcquireRequest ORDER = AcquireRequest.of("order", "7");

	private final ThrottlingManager limits = ThrottlingManager.builder().build();

	private final ThrottlingTemplate template = new ThrottlingTemplate(this.limits, BlockingWaits.unbounded());

	private final ThrottlingTemplate joining = this.template.untilTransactionCompletion();

	private final TransactionTemplate transaction = new TransactionTemplate(new Transactions());

	TransactionCompletionTests() {
		this.limits.addOrUpdate("order", Limit.mutex());
	}

	@Test
	void permitIsHeldUntilTheCommit() {
		this.transaction.executeWithoutResult((status) -> {
			this.joining.call(() -> "written", ORDER);

			assertThat(isHeld()).isTrue();
		});

		assertThat(isHeld()).isFalse();
	}

	@Test
	void permitIsHeldUntilTheRollback() {
		assertThatIllegalStateException().isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
			try {
				this.joining.call(() -> {
					throw new IllegalStateException("planned");
				}, ORDER);
			}
			finally {
				assertThat(isHeld()).isTrue();
			}
		}));

		assertThat(isHeld()).isFalse();
	}

	@Test
	void permitIsReleasedWithTheCallOutsideOfTransactions() {
		this.joining.call(() -> "written", ORDER);

		assertThat(isHeld()).isFalse();
	}

	@Test
	void permitIsReleasedWithTheCallIfTheTemplateDoesNotJoin() {
		this.transaction.executeWithoutResult((status) -> {
			this.template.call(() -> "written", ORDER);

			assertThat(isHeld()).isFalse();
		});
	}

	@Test
	void permitOfAnAsynchronousCallIsReleasedWhereItsStageEnds() {
		CompletableFuture<String> stage = new CompletableFuture<>();

		this.transaction.executeWithoutResult((status) -> {
			this.joining.callAsync(() -> stage, ORDER);
			CompletableFuture.runAsync(() -> stage.complete("written")).join();

			assertThat(isHeld()).isFalse();
		});
	}

	@Test
	void secondCallOfATransactionIsRejectedWhereTheFirstHoldsTheMutex() {
		this.transaction.executeWithoutResult((status) -> {
			this.joining.call(() -> "written", ORDER);

			assertThatExceptionOfType(ThrottledException.class)
				.isThrownBy(() -> this.joining.call(() -> "again", ORDER));
			assertThat(this.joining.<String, RuntimeException>call(() -> "other", AcquireRequest.of("order", "8")))
				.isEqualTo("other");
		});
	}

	private boolean isHeld() {
		return this.limits.get("order").state("7").used() > 0;
	}

	/** Transactions over nothing. */
	private static final class Transactions extends AbstractPlatformTransactionManager {

		private static final long serialVersionUID = 1L;

		@Override
		protected Object doGetTransaction() {
			return new Object();
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			// nothing to begin
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			// nothing to commit
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			// nothing to roll back
		}

	}

}
