package dev.sluice.annotation;

import java.lang.annotation.Annotation;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.asm.ClassWriter;
import org.springframework.asm.Opcodes;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.handler.TextWebSocketHandler;

import static org.assertj.core.api.Assertions.assertThat;

class AnnotatedTypesTests {

	@ParameterizedTest
	@ValueSource(classes = { OnMethod.class, OnPrivateMethod.class, OnType.class, Repeated.class, Emptied.class,
			Composed.class, OfSuperclass.class, OfInterface.class, OfInheritedInterface.class, Limited.class,
			OnDefaultMethod.class, OnlyWhenThrottled.class, TakesBatches.class, OfSpring.class })
	void findsAnAnnotationWhereverItCounts(Class<?> type) {
		assertThat(AnnotatedTypes.contain(type)).isTrue();
		assertThat(AnnotatedTypes.contain(type)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(classes = { Object.class, ArrayList.class, Consumer.class, Plain.class, Other.class, String[].class,
			int.class, Annotation.class })
	void passesOverTypesWithoutAny(Class<?> type) {
		assertThat(AnnotatedTypes.contain(type)).isFalse();
		assertThat(AnnotatedTypes.contain(type)).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "org.springframework.boot.Made, false", "org.springframework.samples.Made, true",
			"org.springframeworks.Made, true" })
	void readsNothingOfSpringButItsSamples(String name, boolean read) {
		assertThat(AnnotatedTypes.contain(limited(name))).isEqualTo(read);
	}

	private static Class<?> limited(String name) {
		ClassWriter type = new ClassWriter(0);
		type.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, name.replace('.', '/'), null, "java/lang/Object", null);
		type.visitAnnotation(Throttled.class.descriptorString(), true).visitEnd();
		type.visitEnd();
		byte[] bytes = type.toByteArray();
		return new ClassLoader(AnnotatedTypesTests.class.getClassLoader()) {
			Class<?> define() {
				return defineClass(name, bytes, 0, bytes.length);
			}
		}.define();
	}

	@Test
	void looksAtTheInterfacesOfAProxy() {
		Object proxy = Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Limited.class },
				(self, method, arguments) -> null);
		assertThat(AnnotatedTypes.contain(proxy.getClass())).isTrue();
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

	static class OfSpring extends TextWebSocketHandler {

		@Mutex("reports")
		@Override
		public void afterConnectionEstablished(WebSocketSession session) {
		}

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

	static class TakesBatches {

		@BatchListener("reports")
		void take(List<String> reports) {
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
