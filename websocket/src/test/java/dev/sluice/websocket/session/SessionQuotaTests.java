package dev.sluice.websocket.session;

import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.sluice.websocket.StubSession;
import dev.sluice.websocket.settings.QuotaLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@ExtendWith(OutputCaptureExtension.class)
class SessionQuotaTests {

	private static final int NONE = Integer.MAX_VALUE;

	@Test
	void sessionsOfTheApplicationAreLimited() {
		SessionQuota quota = new SessionQuota(new QuotaLimits(2, NONE, NONE));
		List<SessionQuota.Key> first = quota.reserve(session("a", "10.0.0.1"), false);
		assertThat(first).isNotNull();
		assertThat(quota.reserve(session("b", "10.0.0.2"), false)).isNotNull();
		assertThat(hasRoom(quota, session("c", "10.0.0.3"))).isFalse();
		assertThat(quota.reserve(session("c", "10.0.0.3"), false)).isNull();
		quota.release(first);
		assertThat(hasRoom(quota, session("c", "10.0.0.3"))).isTrue();
		assertThat(quota.reserve(session("c", "10.0.0.3"), false)).isNotNull();
	}

	@Test
	void sessionsOfAPrincipalAreLimitedAndAnonymousOnesAreNot() {
		SessionQuota quota = new SessionQuota(new QuotaLimits(NONE, 1, NONE));
		assertThat(quota.reserve(session("a", "10.0.0.1"), false)).isNotNull();
		assertThat(quota.reserve(session("a", "10.0.0.2"), false)).isNull();
		assertThat(quota.reserve(session("b", "10.0.0.1"), false)).isNotNull();
		assertThat(quota.reserve(session(null, "10.0.0.1"), false)).isNotNull();
		assertThat(quota.reserve(session(null, "10.0.0.1"), false)).isNotNull();
	}

	@Test
	void firstAnonymousSessionIsLoggedIfSessionsOfAPrincipalAreLimited(CapturedOutput output) {
		SessionQuota quota = new SessionQuota(new QuotaLimits(NONE, 1, NONE));
		quota.reserve(session("a", "10.0.0.1"), false);
		assertThat(output).doesNotContain("without a principal");
		quota.reserve(session(null, "10.0.0.1"), true);
		quota.reserve(session(null, "10.0.0.2"), false);
		assertThat(output).containsOnlyOnce("'sluice.websocket.max-sessions-per-principal' does not limit sessions");
	}

	@Test
	void anonymousSessionIsNotLoggedIfSessionsOfAPrincipalAreUnlimited(CapturedOutput output) {
		new SessionQuota(new QuotaLimits(1, NONE, 1)).reserve(session(null, "10.0.0.1"), false);
		assertThat(output).doesNotContain("without a principal");
	}

	@Test
	void sessionsOfAnAddressAreLimitedWhateverTheirPort() {
		SessionQuota quota = new SessionQuota(new QuotaLimits(NONE, NONE, 1));
		assertThat(quota.reserve(session("a", "10.0.0.1"), false)).isNotNull();
		assertThat(quota.reserve(session("b", "10.0.0.1"), false)).isNull();
		assertThat(quota.reserve(session("b", "10.0.0.2"), false)).isNotNull();
	}

	@Test
	void aRejectedSessionTakesNoPlaceAnywhere() {
		SessionQuota quota = new SessionQuota(new QuotaLimits(NONE, 1, 1));
		assertThat(quota.reserve(session("a", "10.0.0.1"), false)).isNotNull();
		assertThat(quota.reserve(session("a", "10.0.0.2"), false)).isNull();
		assertThat(quota.reserve(session("b", "10.0.0.2"), false)).isNotNull();
	}

	@Test
	void underContentionTheLimitIsNeverExceeded() throws InterruptedException {
		SessionQuota quota = new SessionQuota(new QuotaLimits(3, NONE, NONE));
		AtomicInteger open = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			threads.add(new Thread(() -> {
				for (int j = 0; j < 20_000; j++) {
					List<SessionQuota.Key> place = quota.reserve(session("a", "10.0.0.1"), false);
					if (place != null) {
						most.accumulateAndGet(open.incrementAndGet(), Math::max);
						open.decrementAndGet();
						quota.release(place);
					}
				}
			}));
		}
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(most).hasValueBetween(1, 3);
		assertThat(quota.reserve(session("a", "10.0.0.1"), false)).isNotNull();
	}

	@Test
	void aLimitIsAtLeastOne() {
		assertThatIllegalArgumentException().isThrownBy(() -> new SessionQuota(new QuotaLimits(0, NONE, NONE)))
			.withMessage("'maxSessions' must be greater than 0: 0");
	}

	private static boolean hasRoom(SessionQuota quota, StubSession session) {
		return quota.hasRoom(session.getPrincipal(), session.getRemoteAddress(), false);
	}

	private static StubSession session(String user, String address) {
		return new StubSession("session") {

			@Override
			public Principal getPrincipal() {
				return (user != null) ? () -> user : null;
			}

			@Override
			public InetSocketAddress getRemoteAddress() {
				return new InetSocketAddress(address, 1);
			}

		};
	}

}
