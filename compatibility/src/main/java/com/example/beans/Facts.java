package com.example.beans;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.TaskExecutor;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.socket.WebSocketHandler;

/** Reports the injected beans. */
@RestController
class Facts {

	private final ListableBeanFactory beans;

	private final Background background;

	Facts(ListableBeanFactory beans, Background background) {
		this.beans = beans;
		this.background = background;
	}

	@GetMapping("/flows")
	Map<String, Flow> flows() {
		return new TreeMap<>(this.beans.getBeansOfType(Flow.class));
	}

	/** Returns the beans that are injected for a single bean of a type. */
	@GetMapping("/injected")
	Map<String, String> injected() {
		Map<String, String> injected = new TreeMap<>();
		for (Class<?> type : new Class<?>[] { Executor.class, TaskExecutor.class, AsyncTaskExecutor.class,
				ThreadPoolTaskExecutor.class, ScheduledExecutorService.class, TaskScheduler.class,
				WebSocketHandler.class, Flow.class }) {
			Object bean = this.beans.getBeanProvider(type).getIfUnique();
			injected.put(type.getSimpleName(), (bean != null) ? bean.getClass().getName() : "none");
		}
		return injected;
	}

	@GetMapping("/thread")
	String thread() {
		return this.background.thread().join();
	}

}
