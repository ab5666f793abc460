package com.example.beans;

import java.util.concurrent.ThreadPoolExecutor;

import org.springframework.boot.task.ThreadPoolTaskExecutorCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;

/**
 * Names as flows of messages have them, and an executor with two threads and no queue.
 */
@Configuration(proxyBeanMethods = false)
@EnableAsync
@EnableWebSocket
class Beans {

	@Bean
	Flow inbound() {
		return new Flow("in");
	}

	@Bean
	Flow outbound() {
		return new Flow("out");
	}

	@Bean
	Flow webSocketSessionManager() {
		return new Flow("sessions");
	}

	@Bean
	Flow throttlingManager() {
		return new Flow("throttling");
	}

	@Bean
	Flow executor() {
		return new Flow("execution");
	}

	@Bean
	ThreadPoolTaskExecutorCustomizer small() {
		return (executor) -> {
			executor.setCorePoolSize(2);
			executor.setMaxPoolSize(2);
			executor.setQueueCapacity(0);
			executor.setRejectedExecutionHandler(new ThreadPoolExecutor.CallerRunsPolicy());
		};
	}

	@Bean
	WebSocketConfigurer handlers() {
		return (registry) -> registry.addHandler(new SlowHandler(), "/slow");
	}

}
