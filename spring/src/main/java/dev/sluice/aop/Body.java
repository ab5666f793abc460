package dev.sluice.aop;

import org.jspecify.annotations.Nullable;

/** What a call does once it is let in. */
@FunctionalInterface
interface Body {

	@Nullable Object run() throws Throwable;

}
