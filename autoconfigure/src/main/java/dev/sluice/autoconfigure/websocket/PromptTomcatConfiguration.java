package dev.sluice.autoconfigure.websocket;

import dev.sluice.websocket.container.PromptHttp11NioProtocol;
import dev.sluice.websocket.container.TomcatUpgradeHandler;
import org.apache.coyote.http11.Http11NioProtocol;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * Lets the web server's own connector report the end of a message to the thread that sent
 * it, unless the application has chosen a protocol.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ TomcatServletWebServerFactory.class, Http11NioProtocol.class })
@ConditionalOnBooleanProperty(name = "sluice.websocket.outbound.report-on-sending-thread", matchIfMissing = true)
@ImportRuntimeHints(PromptTomcatConfiguration.Hints.class)
class PromptTomcatConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "sluicePromptTomcatCustomizer")
	WebServerFactoryCustomizer<TomcatServletWebServerFactory> sluicePromptTomcatCustomizer() {
		return (factory) -> {
			if (TomcatServletWebServerFactory.DEFAULT_PROTOCOL.equals(factory.getProtocol())) {
				factory.setProtocol(PromptHttp11NioProtocol.class.getName());
			}
		};
	}

	/**
	 * Tomcat makes the protocol by its name, and the handler of a connection by its
	 * class.
	 */
	static class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.reflection()
				.registerType(PromptHttp11NioProtocol.class, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS,
						MemberCategory.INVOKE_PUBLIC_METHODS)
				.registerType(TomcatUpgradeHandler.class, MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
		}

	}

}
