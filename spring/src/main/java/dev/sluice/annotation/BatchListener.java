package dev.sluice.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Annotation that marks a method of a bean as the listener to the batches of a name. With
 * Spring Boot, the annotation defines the batch: a {@link dev.sluice.batch.BatchConsumer}
 * with the name as qualifier, to which other beans push items, and the properties
 * {@code sluice.batches.<name>.*}.
 * <p>
 * The method has a {@link java.util.List} of the items, which it may keep, and optionally
 * an {@code int}, the slot to which all of them were pushed, and a
 * {@link dev.sluice.batch.CancellationSignal}, in any order. It returns nothing and has
 * dealt with the batch when it returns, on a thread of the batch; or it returns a
 * {@link java.util.concurrent.CompletionStage}, and has dealt with the batch when that
 * ends. An exception or a failed stage fails the batch, which is retried as often as the
 * properties specify. Calls overlap, for one slot up to {@code max-concurrency}.
 * <p>
 * The method is called through the bean's proxy, so that annotations such as
 * {@code @Transactional} and {@link Throttled} have their effect. It must not be private
 * or static. Two methods for the same batch stop the start of the application.
 *
 * @since 0.1.0
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective
public @interface BatchListener {

	/**
	 * Name of the batch.
	 * @return the name
	 */
	String value();

}
