package dev.sluice.websocket.container;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import jakarta.websocket.Session;
import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class EndedSessionTests {

	private final AtomicBoolean over = new AtomicBoolean();

	@Test
	void whatTheHandshakeToldIsKeptAndTheRestIsPassedOn() throws Exception {
		Session ended = EndedSession.of(containerSession());
		this.over.set(true);
		assertThat(ended.getQueryString()).isEqualTo("getQueryString");
		assertThat(ended.getPathParameters()).isEqualTo(Map.of("name", "value"));
		assertThat(ended.isSecure()).isTrue();
		assertThat(ended.isOpen()).isFalse();
		ended.close();
		assertThatIllegalStateException().isThrownBy(ended::getMaxIdleTimeout).withMessage("getMaxIdleTimeout");
		assertThat(ended).isEqualTo(ended).isNotEqualTo(EndedSession.class).hasSameHashCodeAs(ended);
	}

	@Test
	void aSessionThatHasEndedCannotBeKept() {
		this.over.set(true);
		assertThatIllegalStateException().isThrownBy(() -> EndedSession.of(containerSession()));
	}

	@Test
	void nativeImagesKnowTheStandIn() {
		RuntimeHints hints = new RuntimeHints();
		new EndedSession.Hints().registerHints(hints, getClass().getClassLoader());
		assertThat(RuntimeHintsPredicates.proxies().forInterfaces(Session.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Session.class, "getContainer"))
			.accepts(hints);
	}

	private Session containerSession() {
		return (Session) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Session.class },
				(proxy, method, arguments) -> {
					if (this.over.get()) {
						throw new IllegalStateException(method.getName());
					}
					Class<?> type = method.getReturnType();
					return (type == boolean.class) ? true : (type == String.class) ? method.getName()
							: (type == Map.class) ? Map.of("name", "value") : null;
				});
	}

}
