package dev.sluice.aop.internal.method;

import java.lang.annotation.Annotation;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.function.Consumer;

import dev.sluice.annotation.Mutex;
import dev.sluice.annotation.Semaphore;
import dev.sluice.annotation.Throttled;
import dev.sluice.annotation.WhenThrottled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

class LimitedTypesTests {

	@ParameterizedTest
	@ValueSource(classes = { OnMethod.class, OnPrivateMethod.class, OnType.class, Repeated.class, Emptied.class,
			Composed.class, OfSuperclass.class, OfInterface.class, OfInheritedInterface.class, Limited.class,
			OnDefaultMethod.class, OnlyWhenThrottled.class })
	void findsAnAnnotationWhereverItCounts(Class<?> type) {
		assertThat(LimitAnnotations.mayBeIn(type)).isTrue();
		assertThat(LimitAnnotations.mayBeIn(type)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(classes = { Object.class, ArrayList.class, Consumer.class, Plain.class, Other.class, String[].class,
			int.class, Annotation.class })
	void passesOverTypesWithoutAny(Class<?> type) {
		assertThat(LimitAnnotations.mayBeIn(type)).isFalse();
		assertThat(LimitAnnotations.mayBeIn(type)).isFalse();
	}

	@Test
	void looksAtTheInterfacesOfAProxy() {
		Object proxy = Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Limited.class },
				(self, method, arguments) -> null);
		assertThat(LimitAnnotations.mayBeIn(proxy.getClass())).isTrue();
	}

	static class OnMethod {

		@Semaphore("reports")
		void call() {
		}

	}

	static class OnPrivateMethod {

		@Mutex("reports")
		private void call() {
		}

	}

	@Throttled("reports")
	static class OnType {

	}

	static class Repeated {

		@Throttled("reports")
		@Throttled("all")
		void call() {
		}

	}

	static class Emptied {

		@Throttled.Container({})
		void call() {
		}

	}

	static class Composed {

		@Outer
		void call() {
		}

	}

	static class OfSuperclass extends OnMethod {

	}

	interface Limited {

		@Mutex("reports")
		void call();

	}

	static class OfInterface implements Limited {

		@Override
		public void call() {
		}

	}

	static class OfInheritedInterface extends OfInterface {

	}

	interface OnDefaultMethod {

		@Mutex("reports")
		default void call() {
		}

	}

	static class OnlyWhenThrottled {

		@WhenThrottled
		void call() {
		}

	}

	static class Plain {

		@Deprecated
		void call() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Other {

		@Bean
		String text() {
			return "";
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@Inner
	@interface Outer {

	}

	@Retention(RetentionPolicy.RUNTIME)
	@Throttled("reports")
	@interface Inner {

	}

}
