package dev.sluice.autoconfigure.websocket;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

import dev.sluice.test.socket.SocketClient;
import dev.sluice.websocket.ManagedSession;
import dev.sluice.websocket.OnMessage;
import dev.sluice.websocket.WebSocketEndpoint;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.loader.WebappLoader;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.websocket.server.WsSci;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.support.SpringBootServletInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.SpringServletContainerInitializer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Applications that end while their server, or their parent, goes on or ends first. */
@Tag("tomcat")
@ExtendWith(OutputCaptureExtension.class)
class DeployedApplicationTests {

	@Test
	@Tag("full")
	void anApplicationInAnExternalTomcatLeavesNoThread(@TempDir Path folder, CapturedOutput output) throws Exception {
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		try (ExternalTomcat tomcat = new ExternalTomcat(folder)) {
			tomcat.deploy();
			try (SocketClient client = new SocketClient(tomcat.port(), "/app/echo")) {
				client.send("{\"type\":\"call\",\"text\":\"hello\"}");
				assertThat(client.next()).contains("hello");
				tomcat.undeploy();
				assertThat(client.closeCode()).isPositive();
			}
			assertThat(output.getAll()).doesNotContain("failed to stop it", "is still processing a request", " ERROR ");
			assertNoneIsLeft(before);
		}
	}

	@Test
	void anApplicationWhoseParentIsClosedFirstLeavesNoThread(CapturedOutput output) throws Exception {
		Set<Thread> before = Thread.getAllStackTraces().keySet();
		ConfigurableApplicationContext parent = new SpringApplicationBuilder(Parent.class).web(WebApplicationType.NONE)
			.run();
		ConfigurableApplicationContext child = new SpringApplicationBuilder(Application.class).parent(parent)
			.properties("server.port=0")
			.run();
		int port = child.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		try (SocketClient client = new SocketClient(port, "/echo")) {
			client.send("{\"type\":\"call\",\"text\":\"hello\"}");
			assertThat(client.next()).contains("hello");
			parent.close();
			assertThat(client.closeCode()).isEqualTo(1001);
		}
		await().until(() -> !child.isActive());
		assertThat(output.getAll()).doesNotContain("failed to stop it", "is still processing a request", " ERROR ");
		assertNoneIsLeft(before);
	}

	/** Idle threads that nobody ends would end after ten seconds. */
	private static void assertNoneIsLeft(Set<Thread> before) {
		await().atMost(Duration.ofSeconds(5))
			.untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).filteredOn(Thread::isAlive)
				.filteredOn((thread) -> !before.contains(thread))
				.extracting(Thread::getName)
				.noneMatch((name) -> name.startsWith("sluice-")));
	}

	/** The server apart, as the class of tests is read where there is no Tomcat. */
	private static final class ExternalTomcat implements AutoCloseable {

		private final Tomcat tomcat = new Tomcat();

		private final StandardContext context;

		ExternalTomcat(Path folder) throws LifecycleException {
			this.tomcat.setBaseDir(folder.toString());
			this.tomcat.setPort(0);
			this.tomcat.getConnector();
			this.tomcat.getHost();
			this.tomcat.start();
			this.context = context(folder);
		}

		private static StandardContext context(Path folder) {
			StandardContext context = new StandardContext();
			context.setPath("/app");
			context.setName("/app");
			context.setDocBase(folder.toString());
			context.addLifecycleListener(new Tomcat.FixContextListener());
			context.setParentClassLoader(DeployedApplicationTests.class.getClassLoader());
			WebappLoader loader = new WebappLoader();
			loader.setDelegate(true);
			context.setLoader(loader);
			context.addServletContainerInitializer(new WsSci(), null);
			context.addServletContainerInitializer(new SpringServletContainerInitializer(), Set.of(War.class));
			return context;
		}

		int port() {
			return this.tomcat.getConnector().getLocalPort();
		}

		void deploy() {
			this.tomcat.getHost().addChild(this.context);
			assertThat(this.context.getState().isAvailable()).isTrue();
		}

		void undeploy() {
			this.tomcat.getHost().removeChild(this.context);
		}

		@Override
		public void close() throws LifecycleException {
			this.tomcat.stop();
			this.tomcat.destroy();
		}

	}

	/** As the class of an application that is packaged as a WAR. */
	public static class War extends SpringBootServletInitializer {

		@Override
		protected SpringApplicationBuilder configure(SpringApplicationBuilder application) {
			return application.sources(Application.class).properties("spring.jmx.enabled=false");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Parent {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Echo.class)
	static class Application {

	}

	@WebSocketEndpoint(path = "/echo")
	static class Echo extends ManagedSession {

		@OnMessage
		Call handle(Call call) {
			return call;
		}

	}

	record Call(String text) {
	}

}
