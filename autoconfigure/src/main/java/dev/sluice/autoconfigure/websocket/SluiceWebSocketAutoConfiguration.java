package dev.sluice.autoconfigure.websocket;

import java.time.Duration;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

import dev.sluice.aop.ThrottleGate;
import dev.sluice.aop.spi.BlockingWaits;
import dev.sluice.aop.spi.DispatchedMethods;
import dev.sluice.autoconfigure.execution.SluiceExecutionProperties;
import dev.sluice.autoconfigure.properties.ConditionalOnSwitch;
import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
import dev.sluice.autoconfigure.websocket.container.ContainerSessionsConfiguration;
import dev.sluice.autoconfigure.websocket.container.TomcatHandlingReadersConfiguration;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.cluster.endpoint.ClusterEndpoints;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.websocket.LevelResolver;
import dev.sluice.websocket.MessageErrorHandler;
import dev.sluice.websocket.MessageObserver;
import dev.sluice.websocket.PrincipalContext;
import dev.sluice.websocket.SessionTypeResolver;
import dev.sluice.websocket.SluiceInbound;
import dev.sluice.websocket.SluiceOutbound;
import dev.sluice.websocket.WebSocketSessionManager;
import dev.sluice.websocket.container.EndedSession;
import dev.sluice.websocket.endpoint.EndpointExtension;
import dev.sluice.websocket.endpoint.PlainRequests;
import dev.sluice.websocket.endpoint.WebSocketEndpointHandlerMapping;
import dev.sluice.websocket.handler.HandlerMethods;
import dev.sluice.websocket.handler.OrderedHandlerAdapterPostProcessor;
import dev.sluice.websocket.handler.OrderedRequestHandlers;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.journal.SentMessageRecorder;
import dev.sluice.websocket.session.WebSocketLifecycle;
import jakarta.servlet.ServletContext;
import jakarta.websocket.server.ServerContainer;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.autoconfigure.context.LifecycleProperties;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.handler.AbstractUrlHandlerMapping;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.server.HandshakeHandler;
import org.springframework.web.socket.server.HandshakeInterceptor;
import org.springframework.web.socket.server.standard.ServletServerContainerFactoryBean;

/**
 * Auto-configuration for ordered WebSocket sessions, and the wrapping of the
 * application's own handlers.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = TaskExecutionAutoConfiguration.class)
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass({ WebSocketHandler.class, ServerContainer.class, JsonMapper.class, WebSocketDispatcher.class })
@ConditionalOnSwitch({ "sluice.enabled", "sluice.websocket.enabled" })
@EnableConfigurationProperties(SluiceWebSocketProperties.class)
@ImportRuntimeHints(EndedSession.Hints.class)
@Import({ ExecutorsConfiguration.class, TomcatHandlingReadersConfiguration.class,
		ContainerSessionsConfiguration.Tomcat.class, ContainerSessionsConfiguration.Jetty.class })
public final class SluiceWebSocketAutoConfiguration {

	/** The methods of wrapped handlers that receive messages. */
	public static final String HANDLER_METHODS = "sluiceHandlerMethods";

	@Bean
	@ConditionalOnClass(name = "org.springframework.web.reactive.DispatcherHandler")
	static ReactiveBeansCheck sluiceReactiveBeansCheck(Environment environment) {
		return new ReactiveBeansCheck(environment);
	}

	@Bean
	MessageHooks sluiceMessageHooks(ObjectProvider<JsonMapper> jsonMapper, ListableBeanFactory beanFactory,
			ObjectProvider<LevelResolver> levels, ObjectProvider<MessageErrorHandler> errorHandlers,
			ObjectProvider<MessageObserver> observer, ObjectProvider<PrincipalContext> principals) {
		return new MessageHooks(jsonMapper.getIfAvailable(JsonMapper::shared), MessageValidators.find(beanFactory),
				levels.getIfAvailable(), errorHandlers.orderedStream().toList(),
				observer.getIfUnique(() -> MessageObserver.NONE), principals.getIfUnique(() -> PrincipalContext.NONE));
	}

	@Bean
	ContainerLimits sluiceContainerLimits(ObjectProvider<ServletServerContainerFactoryBean> containers,
			ObjectProvider<ServletContext> servletContext) {
		return new ContainerLimits(containers, servletContext.getIfAvailable());
	}

	@Bean
	@ConditionalOnMissingBean
	WebSocketDispatcher sluiceWebSocketDispatcher(@SluiceInbound SequentialLeveledTaskExecutor inbound,
			@SluiceOutbound SequentialLeveledTaskExecutor outbound, SluiceWebSocketProperties properties,
			SluiceExecutionProperties execution, ContainerLimits container, MessageHooks hooks,
			ObjectProvider<ThrottleGate> gate, ObjectProvider<BlockingWaits> blockingWaits,
			ObjectProvider<SentMessageRecorder> recorder, ApplicationEventPublisher events,
			@Qualifier(TomcatHandlingReadersConfiguration.HANDLING_READERS) ObjectProvider<IntSupplier> readers) {
		return hooks.addTo(WebSocketDispatcher.builder(inbound, outbound))
			.settings(new WebSocketSettingsMapper(properties, execution, container).settings())
			.gate(gate.getIfAvailable())
			.blockingWaits(blockingWaits.getIfAvailable(BlockingWaits::unbounded))
			.recorder(recorder.getIfAvailable())
			.events(events)
			.handlingReaders(readers.getIfAvailable(() -> () -> 0))
			.build();
	}

	@Bean(defaultCandidate = false)
	SessionLimitsReport sluiceSessionLimitsReport(SluiceWebSocketProperties properties, ContainerLimits container,
			ObjectProvider<ServletContext> servletContext) {
		return new SessionLimitsReport(properties, container, servletContext.getIfAvailable());
	}

	@Bean
	@ConditionalOnMissingBean
	WebSocketSessionManager sluiceWebSocketSessionManager(WebSocketDispatcher dispatcher) {
		return dispatcher.sessions();
	}

	@Bean(autowireCandidate = false)
	@ConditionalOnMissingBean
	WebSocketEndpointHandlerMapping sluiceWebSocketEndpointHandlerMapping(WebSocketDispatcher dispatcher,
			SluiceWebSocketProperties properties, ObjectProvider<HandshakeInterceptor> interceptors,
			ObjectProvider<HandshakeHandler> handshakeHandler, ObjectProvider<SessionTypeResolver> sessionTypes,
			ObjectProvider<EndpointExtension> extension) {
		WebSocketEndpointHandlerMapping mapping = new WebSocketEndpointHandlerMapping(dispatcher);
		mapping.setAllowedOrigins(properties.allowedOrigins());
		mapping.setHandshakeInterceptors(interceptors.orderedStream().toList());
		handshakeHandler.ifUnique(mapping::setHandshakeHandler);
		sessionTypes.ifAvailable(mapping::setSessionTypeResolver);
		mapping.setExtension(extension::getIfAvailable);
		return mapping;
	}

	@Bean(defaultCandidate = false)
	EndpointPathsCheck sluiceEndpointPathsCheck(ListableBeanFactory beans, Environment environment) {
		return new EndpointPathsCheck(beans, environment);
	}

	@Bean
	PlainRequests sluicePlainRequests(ListableBeanFactory beans) {
		return new PlainRequests(() -> beans.getBeansOfType(WebSocketEndpointHandlerMapping.class).values().stream());
	}

	@Bean
	@ConditionalOnMissingBean
	WebSocketLifecycle sluiceWebSocketLifecycle(WebSocketDispatcher dispatcher, SluiceWebSocketProperties properties,
			ObjectProvider<LifecycleProperties> lifecycle) {
		Duration phase = lifecycle.getIfAvailable(LifecycleProperties::new).getTimeoutPerShutdownPhase();
		return new WebSocketLifecycle(dispatcher.shutdown(), shutdownTimeout(properties, phase));
	}

	private static Duration shutdownTimeout(SluiceWebSocketProperties properties, Duration phase) {
		Duration timeout = properties.shutdownTimeout();
		if (timeout == null) {
			return phase.multipliedBy(3).dividedBy(4);
		}
		if (timeout.compareTo(phase) >= 0) {
			throw new InvalidConfigurationException(
					"Property 'sluice.websocket.shutdown-timeout' must be less than "
							+ "'spring.lifecycle.timeout-per-shutdown-phase', which is " + phase + ": " + timeout,
					"Remove 'sluice.websocket.shutdown-timeout' to have three quarters of the phase, or set a shorter "
							+ "time, or raise 'spring.lifecycle.timeout-per-shutdown-phase'.");
		}
		return timeout;
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnMissingBean(name = "sluiceEndpointMethods")
	static DispatchedMethods sluiceEndpointMethods() {
		return HandlerMethods::isEndpointMethod;
	}

	/** Endpoints with topics, and with sessions that resume. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ClusterEndpoints.class)
	static class ClusterConfiguration {

		@Bean
		@Lazy
		@ConditionalOnMissingBean(EndpointExtension.class)
		ClusterEndpoints sluiceClusterEndpoints(ObjectProvider<SessionCluster> cluster) {
			return new ClusterEndpoints(cluster::getIfAvailable);
		}

	}

	/** Wrapping of the handlers that the application registers itself. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnSwitch("sluice.websocket.handlers.enabled")
	static class HandlersConfiguration {

		@Bean(name = HANDLER_METHODS)
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		@ConditionalOnMissingBean(name = HANDLER_METHODS)
		static DispatchedMethods sluiceHandlerMethods() {
			return HandlerMethods::isHandlerMethod;
		}

		@Bean(defaultCandidate = false)
		@ConditionalOnMissingBean
		static OrderedHandlerAdapterPostProcessor sluiceOrderedHandlerAdapterPostProcessor(
				ObjectProvider<OrderedRequestHandlers> handlers) {
			return new OrderedHandlerAdapterPostProcessor(handlers::getObject);
		}

		@Bean
		@ConditionalOnMissingBean
		OrderedRequestHandlers sluiceOrderedRequestHandlers(ObjectProvider<WebSocketDispatcher> dispatcher,
				ExcludedPaths excluded, ObjectProvider<HandlerMapping> mappings) {
			return new OrderedRequestHandlers(dispatcher::getObject, excluded::isIncluded, () -> urlMappings(mappings));
		}

		@Bean
		ExcludedPaths sluiceExcludedPaths(SluiceWebSocketProperties properties,
				ObjectProvider<HandlerMapping> mappings) {
			return new ExcludedPaths(properties.handlers().excludePaths(), () -> urlMappings(mappings));
		}

		/** Before a lazy mapping is created, its type is that of its method alone. */
		private static Stream<AbstractUrlHandlerMapping> urlMappings(ObjectProvider<HandlerMapping> mappings) {
			return mappings.stream()
				.filter(AbstractUrlHandlerMapping.class::isInstance)
				.map(AbstractUrlHandlerMapping.class::cast);
		}

	}

}
