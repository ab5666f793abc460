package dev.sluice.redis;

import java.nio.file.Path;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;

/** Two nodes over the server of this machine, if there is one: usually a newer one. */
@Tag("full")
@EnabledIf("isInstalled")
class InstalledRedisContractTests extends RedisContractTests {

	@Override
	Path executable() {
		return RedisServer.installed().orElseThrow();
	}

	static boolean isInstalled() {
		return RedisServer.installed().isPresent();
	}

}
