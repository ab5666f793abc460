package dev.sluice.websocket;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.sluice.execution.Level;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Annotation that marks a method of a {@link ManagedSession} as a handler of messages.
 * Methods of a session are called one at a time, in the order of the messages. The result
 * of a method is {@linkplain ManagedSession#post posted} to the client. A
 * {@link java.util.concurrent.CompletionStage} holds the session's turn, but no thread,
 * until it ends, and its result is posted. {@code null}, an empty
 * {@link java.util.Optional} and a call that its limits drop answer nothing.
 * <p>
 * A method has no parameter, or one for the message:
 * <ul>
 * <li>a {@link String}: every text message; a {@code byte[]} or
 * {@link java.nio.ByteBuffer}: every binary message;</li>
 * <li>any type with a {@link #value()}: the JSON messages whose {@code type} property has
 * this value;</li>
 * <li>a sealed interface: the JSON messages whose {@code type} is the simple name of one
 * of its records, decapitalised ({@code record Deposit}: {@code "deposit"});</li>
 * <li>another type that has a {@code type} property of its own, a map, or a type with
 * Jackson type information: every other JSON message;</li>
 * <li>another type: the JSON messages whose {@code type} is its simple name,
 * decapitalised.</li>
 * </ul>
 * The application does not start with two methods for the same message. A parameter with
 * {@code @Valid} or {@code @Validated} is validated before the method is called.
 *
 * @since 0.1.0
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(MessageReflectiveProcessor.class)
public @interface OnMessage {

	/**
	 * Returns the {@code type} of the messages.
	 * @return the type; empty to derive it from the method's parameter
	 */
	String value() default "";

	/**
	 * Returns the level of the messages: messages of {@link Level#HIGH} are handled
	 * before all other waiting messages.
	 * @return the level
	 */
	Level level() default Level.NORMAL;

}
