package dev.sluice;

import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

import dev.sluice.annotation.Throttled;
import dev.sluice.aop.ThrottleAdvisor;
import dev.sluice.aop.ThrottleGate;
import dev.sluice.throttle.ThrottledException;
import dev.sluice.throttle.ThrottlingManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.expression.Expression;

import static org.assertj.core.api.Assertions.assertThat;

/** The limits of an application that is a module, on the module path. */
class ModulePathTests {

	private static final String MODULE = "dev.sluice.spring";

	@Test
	void theModuleExportsTheApiAndToOtherModulesWhatTheyShare() throws Exception {
		ModuleDescriptor module = ModuleFinder.of(path(ThrottleGate.class)).find(MODULE).orElseThrow().descriptor();

		assertThat(module.exports()).filteredOn((exported) -> !exported.isQualified())
			.extracting(ModuleDescriptor.Exports::source)
			.containsExactlyInAnyOrder("dev.sluice.annotation", "dev.sluice.aop", "dev.sluice.aop.spi");
		assertThat(module.exports()).filteredOn(ModuleDescriptor.Exports::isQualified)
			.singleElement()
			.satisfies((exported) -> {
				assertThat(exported.source()).isEqualTo("dev.sluice.lifecycle");
				assertThat(exported.targets()).containsExactlyInAnyOrder("dev.sluice.autoconfigure",
						"dev.sluice.websocket");
			});
	}

	@Test
	void limitsHoldInAnApplicationThatIsAModule(@TempDir Path folder) throws Exception {
		Path application = jar(folder, ModulePathTests.class, Application.class, Quotes.class);
		List<Path> path = new ArrayList<>(
				List.of(application, path(ThrottleGate.class), path(ThrottlingManager.class), path(Expression.class)));
		Stream
			.of("org.springframework.aop.Advisor", "org.springframework.beans.BeanUtils",
					"org.springframework.context.ApplicationContext", "org.springframework.core.Ordered",
					"org.apache.commons.logging.Log", "org.jspecify.annotations.Nullable")
			.map(ModulePathTests::path)
			.forEach(path::add);
		Configuration configuration = ModuleLayer.boot()
			.configuration()
			.resolve(ModuleFinder.of(path.toArray(new Path[0])), ModuleFinder.of(), Set.of(MODULE, "application"));
		ModuleLayer layer = ModuleLayer.boot()
			.defineModulesWithOneLoader(configuration, ClassLoader.getPlatformClassLoader());

		Class<?> type = layer.findLoader("application").loadClass(Application.class.getName());
		assertThat(((Callable<?>) type.getConstructor().newInstance()).call())
			.isEqualTo("admitted, rejected by quotes of dev.sluice.spring, hints");
	}

	private static Path path(String type) {
		try {
			return path(Class.forName(type));
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Path path(Class<?> type) {
		return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
	}

	private static Path jar(Path folder, Class<?>... types) throws IOException {
		Path file = folder.resolve("application.jar");
		try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
			for (Class<?> type : types) {
				String name = type.getName().replace('.', '/') + ".class";
				jar.putNextEntry(new JarEntry(name));
				Files.copy(path(type).resolve(name), jar);
			}
		}
		return file;
	}

	/** Uses the API as code of another module does. */
	public static class Application implements Callable<String> {

		@Override
		public String call() throws NoSuchMethodException {
			ThrottlingManager manager = ThrottlingManager.builder().build();
			try (ThrottleGate gate = ThrottleGate.builder(manager).build()) {
				ProxyFactory factory = new ProxyFactory(new Quotes());
				factory.setProxyTargetClass(true);
				factory.addAdvisor(new ThrottleAdvisor(() -> gate, (method, type) -> false, false));
				Quotes quotes = (Quotes) factory.getProxy(Quotes.class.getClassLoader());
				return quotes.quote("a") + ", " + rejection(quotes) + ", " + hints();
			}
		}

		private static String rejection(Quotes quotes) {
			try {
				return quotes.quote("a");
			}
			catch (ThrottledException ex) {
				return "rejected by " + ex.resource() + " of " + ThrottleGate.class.getModule().getName();
			}
		}

		/** Spring creates the processor of hints, which the module does not export. */
		private static String hints() throws NoSuchMethodException {
			RuntimeHints hints = new RuntimeHints();
			new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, Quotes.class);
			return RuntimeHintsPredicates.reflection()
				.onMethodInvocation(Quotes.class.getMethod("quote", String.class))
				.test(hints) ? "hints" : "no hints";
		}

	}

	/** A bean with a limit of each key. */
	public static class Quotes {

		@Throttled(value = "quotes", key = "#symbol", limit = 1, period = "1h")
		public String quote(String symbol) {
			return "admitted";
		}

	}

}
