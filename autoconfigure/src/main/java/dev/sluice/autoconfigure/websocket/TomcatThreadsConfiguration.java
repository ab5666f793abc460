package dev.sluice.autoconfigure.websocket;

import org.apache.coyote.http11.Http11NioProtocol;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Lets threads of the web server handle the messages that they have read. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ TomcatServletWebServerFactory.class, Http11NioProtocol.class })
class TomcatThreadsConfiguration {

	/** The name of the bean that says how many. */
	static final String READING_THREADS = "sluiceReadingThreads";

	@Bean(name = READING_THREADS, defaultCandidate = false)
	@ConditionalOnMissingBean(name = READING_THREADS)
	TomcatThreads sluiceReadingThreads() {
		return new TomcatThreads();
	}

}
