package dev.sluice.starter;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

import dev.sluice.annotation.Throttled;
import dev.sluice.throttle.ThrottledException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What the starter brings, and what it leaves to the application. */
@ExtendWith(OutputCaptureExtension.class)
class LimitsStarterTests {

	@ParameterizedTest
	@ValueSource(strings = { "org.springframework.web.servlet.DispatcherServlet", "jakarta.servlet.Servlet",
			"org.springframework.web.socket.WebSocketHandler", "jakarta.websocket.server.ServerContainer",
			"org.springframework.web.reactive.DispatcherHandler" })
	void nothingThatDecidesTheKindOfAnApplicationIsBrought(String type) {
		assertThat(ClassUtils.isPresent(type, getClass().getClassLoader())).isFalse();
	}

	@Test
	void noSessionsAndNoClusterAreBrought() {
		List<String> packages = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> entry.contains("sluice") || entry.endsWith("target" + File.separator + "classes"))
			.flatMap(LimitsStarterTests::classes)
			.filter((name) -> name.startsWith("dev/sluice/") && name.endsWith(".class"))
			.toList();
		assertThat(packages).contains("dev/sluice/aop/ThrottleGate.class")
			.noneMatch((name) -> name.startsWith("dev/sluice/websocket/") || name.startsWith("dev/sluice/cluster/"));
	}

	private static Stream<String> classes(String entry) {
		Path path = Path.of(entry);
		if (!Files.exists(path)) {
			return Stream.empty();
		}
		try {
			if (Files.isDirectory(path)) {
				try (Stream<Path> files = Files.walk(path)) {
					return files.map((file) -> path.relativize(file).toString().replace(File.separatorChar, '/'))
						.toList()
						.stream();
				}
			}
			try (JarFile jar = new JarFile(path.toFile())) {
				return jar.stream().map(ZipEntry::getName).toList().stream();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Test
	void methodsAreLimitedInAnApplicationThatIsNotOfTheWeb() {
		SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class);
		try (ConfigurableApplicationContext context = application.run("--sluice.throttles.quotes.limit=1",
				"--sluice.throttles.quotes.period=1h")) {
			assertThat(application.application().getWebApplicationType()).isEqualTo(WebApplicationType.NONE);
			Quotes quotes = context.getBean(Quotes.class);
			assertThat(quotes.quote()).isEqualTo(42);
			assertThatExceptionOfType(ThrottledException.class).isThrownBy(quotes::quote);
		}
	}

	@Test
	void propertiesOfMissingModulesAreReported(CapturedOutput output) {
		new SpringApplicationBuilder(Application.class)
			.run("--sluice.throttles.quotes.limit=1", "--sluice.throttles.quotes.period=1h",
					"--sluice.websocket.outbound.overflow=close", "--sluice.cluster.beat=1s",
					"--sluice.websocket.enabled=false")
			.close();
		assertThat(output)
			.contains("Properties [sluice.websocket.outbound.overflow] have no effect, as 'sluice-websocket' is not")
			.contains("Properties [sluice.cluster.beat] have no effect, as 'sluice-cluster' is not");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Quotes.class)
	static class Application {

	}

	static class Quotes {

		@Throttled("quotes")
		int quote() {
			return 42;
		}

	}

}
