package dev.sluice.autoconfigure.websocket.stomp;

import java.util.ArrayList;
import java.util.List;

import dev.sluice.autoconfigure.fixture.StompClient;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** Applications with a broker, and their clients. */
final class StompApplications {

	private StompApplications() {
	}

	/**
	 * Starts an application.
	 * @param arguments configurations and properties to add
	 */
	static ConfigurableApplicationContext run(Class<?> application, Object... arguments) {
		SpringApplicationBuilder builder = new SpringApplicationBuilder(application);
		List<String> properties = new ArrayList<>(List.of("--server.port=0"));
		for (Object argument : arguments) {
			if (argument instanceof Class<?> configuration) {
				builder.sources(configuration);
			}
			else {
				properties.add(argument.toString());
			}
		}
		return builder.run(properties.toArray(String[]::new));
	}

	static StompClient connect(ApplicationContext context) throws Exception {
		return new StompClient(port(context), "/stomp");
	}

	static int port(ApplicationContext context) {
		return ((WebServerApplicationContext) context).getWebServer().getPort();
	}

}
