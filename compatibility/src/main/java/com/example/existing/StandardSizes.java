package com.example.existing;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.socket.server.standard.ServletServerContainerFactoryBean;

/**
 * Sets the sizes of messages as Spring's reference recommends for any container of
 * Jakarta WebSocket.
 */
@Configuration(proxyBeanMethods = false)
class StandardSizes {

	/** The largest message, in bytes. */
	static final int LARGEST = 128 * 1024;

	@Bean
	ServletServerContainerFactoryBean container() {
		ServletServerContainerFactoryBean container = new ServletServerContainerFactoryBean();
		container.setMaxTextMessageBufferSize(LARGEST);
		container.setMaxBinaryMessageBufferSize(LARGEST);
		return container;
	}

}
