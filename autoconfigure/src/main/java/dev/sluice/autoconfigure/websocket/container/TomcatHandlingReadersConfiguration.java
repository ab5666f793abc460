package dev.sluice.autoconfigure.websocket.container;

import org.apache.coyote.http11.Http11NioProtocol;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Makes threads of the web server handle the messages that they have read. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ TomcatServletWebServerFactory.class, Http11NioProtocol.class })
public class TomcatHandlingReadersConfiguration {

	/** Name of the bean with the number of threads. */
	public static final String HANDLING_READERS = "sluiceHandlingReaders";

	@Bean(name = HANDLING_READERS, defaultCandidate = false)
	@ConditionalOnMissingBean(name = HANDLING_READERS)
	TomcatHandlingReaders sluiceHandlingReaders() {
		return new TomcatHandlingReaders();
	}

}
