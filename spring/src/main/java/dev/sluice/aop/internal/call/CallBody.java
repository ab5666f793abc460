package dev.sluice.aop.internal.call;

import org.jspecify.annotations.Nullable;

/** Body of a call, which is run once the call is admitted. */
@FunctionalInterface
public interface CallBody {

	@Nullable Object run() throws Throwable;

}
