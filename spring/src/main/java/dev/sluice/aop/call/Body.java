package dev.sluice.aop.call;

import org.jspecify.annotations.Nullable;

/** What a call does once it is let in. */
@FunctionalInterface
public interface Body {

	@Nullable Object run() throws Throwable;

}
