package dev.sluice.autoconfigure.websocket;

import javax.net.ssl.SSLContext;

import org.junit.jupiter.api.Tag;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

/** The same on connections that are encrypted. */
@Tag("full")
@SpringBootTest(classes = WholeMessagesTests.Application.class, webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "server.ssl.bundle=server",
				"spring.ssl.bundle.jks.server.keystore.location=classpath:dev/sluice/autoconfigure/websocket/localhost.p12",
				"spring.ssl.bundle.jks.server.keystore.password=localhost",
				"spring.ssl.bundle.jks.server.truststore.location=classpath:dev/sluice/autoconfigure/websocket/localhost.p12",
				"spring.ssl.bundle.jks.server.truststore.password=localhost" })
class SecureMessagesTests extends WholeMessagesTests {

	@Autowired
	private SslBundles bundles;

	@Override
	SSLContext ssl() {
		return this.bundles.getBundle("server").createSslContext();
	}

}
