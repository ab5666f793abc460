package dev.sluice.autoconfigure.websocket;

import java.time.Duration;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

import dev.sluice.aop.ThrottleGate;
import dev.sluice.aop.spi.BlockingWaits;
import dev.sluice.autoconfigure.execution.ExecutorsConfiguration;
import dev.sluice.autoconfigure.execution.SluiceExecutionProperties;
import dev.sluice.autoconfigure.properties.BooleanProperty;
import dev.sluice.autoconfigure.properties.ConditionalOnSwitch;
import dev.sluice.autoconfigure.websocket.container.ContainerConfiguration;
import dev.sluice.cluster.SessionCluster;
import dev.sluice.cluster.endpoint.ClusterEndpoints;
import dev.sluice.execution.SequentialLeveledTaskExecutor;
import dev.sluice.websocket.PrincipalContext;
import dev.sluice.websocket.SessionTypeResolver;
import dev.sluice.websocket.SluiceInbound;
import dev.sluice.websocket.SluiceOutbound;
import dev.sluice.websocket.WebSocketSessionManager;
import dev.sluice.websocket.container.EndedSession;
import dev.sluice.websocket.endpoint.EndpointExtension;
import dev.sluice.websocket.endpoint.PlainRequests;
import dev.sluice.websocket.endpoint.WebSocketEndpointHandlerMapping;
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
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
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
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;
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
@Import({ ExecutorsConfiguration.class, ContainerConfiguration.Tomcat.class, ContainerConfiguration.Jetty.class })
public final class SluiceWebSocketAutoConfiguration {

	/** Switches the wrapping of the handlers that the application registers itself. */
	private static final String HANDLERS = "sluice.websocket.handlers.enabled";

	private static final String CLUSTER = "dev.sluice.cluster.endpoint.ClusterEndpoints";

	@Bean
	@ConditionalOnClass(name = "org.springframework.web.reactive.DispatcherHandler")
	static ReactiveBeansCheck sluiceReactiveBeansCheck(Environment environment) {
		return new ReactiveBeansCheck(environment);
	}

	@Bean
	@ConditionalOnMissingBean
	WebSocketDispatcher sluiceWebSocketDispatcher(@SluiceInbound SequentialLeveledTaskExecutor inbound,
			@SluiceOutbound SequentialLeveledTaskExecutor outbound, SluiceWebSocketProperties properties,
			SluiceExecutionProperties execution, ObjectProvider<ServletServerContainerFactoryBean> containers,
			ObjectProvider<ServletContext> servletContext, ObjectProvider<ThrottleGate> gate,
			ObjectProvider<BlockingWaits> blockingWaits, ObjectProvider<SentMessageRecorder> recorder,
			ApplicationEventPublisher events,
			@Qualifier(ContainerConfiguration.HANDLING_READERS) ObjectProvider<IntSupplier> readers,
			ListableBeanFactory beans) {
		ContainerLimits container = new ContainerLimits(containers, servletContext.getIfAvailable());
		return MessageHooks.of(beans)
			.addTo(WebSocketDispatcher.builder(inbound, outbound))
			.settings(new WebSocketSettingsMapper(properties, execution, container).settings())
			.gate(gate.getIfAvailable())
			.blockingWaits(blockingWaits.getIfAvailable(BlockingWaits::unbounded))
			.recorder(recorder.getIfAvailable())
			.events(events)
			.handlingReaders(readers.getIfAvailable(() -> () -> 0))
			.build();
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
			ConfigurableListableBeanFactory beans) {
		WebSocketEndpointHandlerMapping mapping = new WebSocketEndpointHandlerMapping(dispatcher);
		mapping.setAllowedOrigins(properties.allowedOrigins());
		mapping.setHandshakeInterceptors(interceptors.orderedStream().toList());
		handshakeHandler.ifUnique(mapping::setHandshakeHandler);
		sessionTypes.ifAvailable(mapping::setSessionTypeResolver);
		if (ClassUtils.isPresent(CLUSTER, beans.getBeanClassLoader())) {
			mapping.setExtension(SingletonSupplier.of(() -> clusterEndpoints(beans))::obtain);
		}
		return mapping;
	}

	/** Endpoints with topics, and with sessions that resume. */
	private static EndpointExtension clusterEndpoints(ListableBeanFactory beans) {
		return new ClusterEndpoints(beans.getBeanProvider(SessionCluster.class)::getIfAvailable);
	}

	/** Runs once all beans exist that may set a path or a limit. */
	@Bean(defaultCandidate = false)
	SmartInitializingSingleton sluiceSessionChecks(SluiceWebSocketProperties properties,
			ObjectProvider<ServletServerContainerFactoryBean> containers, ObjectProvider<ServletContext> servletContext,
			ObjectProvider<HandlerMapping> mappings, ListableBeanFactory beans, Environment environment) {
		ServletContext context = servletContext.getIfAvailable();
		return () -> {
			if (BooleanProperty.isOn(environment, HANDLERS, true)) {
				excludedPaths(properties, mappings).check();
			}
			new SessionLimitsReport(properties, new ContainerLimits(containers, context), context).log();
			new EndpointPathsCheck(beans, environment).check();
		};
	}

	@Bean
	@ConditionalOnClass(name = "org.springframework.security.core.context.SecurityContextHolder")
	@ConditionalOnMissingBean
	@ConditionalOnSwitch("sluice.websocket.security-context")
	PrincipalContext sluicePrincipalContext() {
		return new SecurityPrincipalContext();
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
		return new WebSocketLifecycle(dispatcher.shutdown(),
				WebSocketSettingsMapper.shutdownTimeout(properties, phase));
	}

	@Bean(defaultCandidate = false)
	@ConditionalOnSwitch(HANDLERS)
	@ConditionalOnMissingBean
	static OrderedHandlerAdapterPostProcessor sluiceOrderedHandlerAdapterPostProcessor(
			ObjectProvider<OrderedRequestHandlers> handlers) {
		return new OrderedHandlerAdapterPostProcessor(handlers::getObject);
	}

	@Bean
	@ConditionalOnSwitch(HANDLERS)
	@ConditionalOnMissingBean
	OrderedRequestHandlers sluiceOrderedRequestHandlers(ObjectProvider<WebSocketDispatcher> dispatcher,
			SluiceWebSocketProperties properties, ObjectProvider<HandlerMapping> mappings) {
		return new OrderedRequestHandlers(dispatcher::getObject, excludedPaths(properties, mappings)::isIncluded,
				() -> urlMappings(mappings));
	}

	private static ExcludedPaths excludedPaths(SluiceWebSocketProperties properties,
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
