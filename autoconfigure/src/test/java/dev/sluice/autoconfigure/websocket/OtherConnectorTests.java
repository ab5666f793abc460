package dev.sluice.autoconfigure.websocket;

import org.apache.coyote.http11.Http11Nio2Protocol;
import org.junit.jupiter.api.Tag;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The same on the other connector of Tomcat. */
@Tag("full")
@SpringBootTest(classes = { WholeMessagesTests.Application.class, OtherConnectorTests.Connector.class },
		webEnvironment = WebEnvironment.RANDOM_PORT)
class OtherConnectorTests extends WholeMessagesTests {

	@Override
	Class<?> protocol() {
		return Http11Nio2Protocol.class;
	}

	@Configuration(proxyBeanMethods = false)
	static class Connector {

		@Bean
		WebServerFactoryCustomizer<TomcatServletWebServerFactory> otherConnector() {
			return (factory) -> factory.setProtocol(Http11Nio2Protocol.class.getName());
		}

	}

}
