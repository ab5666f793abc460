package dev.sluice.redis;

import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Has every test wait for longer than a slow machine takes, and not mind what threads of
 * the tests beside it throw.
 */
public final class Patience implements BeforeAllCallback {

	@Override
	public void beforeAll(ExtensionContext context) {
		Awaitility.setDefaultTimeout(60, TimeUnit.SECONDS);
		Awaitility.doNotCatchUncaughtExceptionsByDefault();
	}

}
