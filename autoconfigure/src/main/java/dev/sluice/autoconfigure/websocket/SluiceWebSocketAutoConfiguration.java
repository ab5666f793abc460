package dev.sluice.autoconfigure.websocket;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.IntSupplier;
import java.util.function.Predicate;

import dev.sluice.aop.ThrottleGate;
import dev.sluice.aop.spi.BlockingWaits;
import dev.sluice.aop.spi.DispatchedMethods;
import dev.sluice.autoconfigure.execution.ExecutorsConfiguration;
import dev.sluice.autoconfigure.execution.SluiceExecutionProperties;
import dev.sluice.autoconfigure.properties.InvalidConfigurationException;
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
import dev.sluice.websocket.endpoint.WebSocketEndpointHandlerMapping;
import dev.sluice.websocket.handler.HandlerMethods;
import dev.sluice.websocket.handler.OrderedHandlerAdapterPostProcessor;
import dev.sluice.websocket.handler.OrderedRequestHandlers;
import dev.sluice.websocket.handler.WebSocketDispatcher;
import dev.sluice.websocket.journal.SentMessageRecorder;
import dev.sluice.websocket.session.WebSocketLifecycle;
import dev.sluice.websocket.settings.InboundLimits;
import dev.sluice.websocket.settings.LivenessLimits;
import dev.sluice.websocket.settings.QuotaLimits;
import dev.sluice.websocket.settings.SendLimits;
import dev.sluice.websocket.settings.SessionLimits;
import dev.sluice.websocket.settings.TotalLimits;
import dev.sluice.websocket.settings.WebSocketSettings;
import jakarta.servlet.ServletContext;
import jakarta.websocket.server.ServerContainer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
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
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.http.server.PathContainer;
import org.springframework.util.unit.DataSize;
import org.springframework.web.servlet.handler.AbstractUrlHandlerMapping;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.server.HandshakeHandler;
import org.springframework.web.socket.server.HandshakeInterceptor;
import org.springframework.web.socket.server.standard.ServletServerContainerFactoryBean;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Auto-configuration of ordered WebSocket sessions, and the wrapping of the application's
 * own handlers.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = TaskExecutionAutoConfiguration.class)
@ConditionalOnWebApplication(type = Type.SERVLET)
@ConditionalOnClass({ WebSocketHandler.class, ServerContainer.class, JsonMapper.class })
@ConditionalOnBooleanProperty(name = { "sluice.enabled", "sluice.websocket.enabled" }, matchIfMissing = true)
@EnableConfigurationProperties(SluiceWebSocketProperties.class)
@ImportRuntimeHints(EndedSession.Hints.class)
@Import({ ExecutorsConfiguration.class, PromptTomcatConfiguration.class, TomcatHandlingReadersConfiguration.class,
		ContainerSessionsConfiguration.class })
public final class SluiceWebSocketAutoConfiguration {

	/** The methods of wrapped handlers that take messages. */
	public static final String HANDLER_METHODS = "sluiceHandlerMethods";

	@Bean
	@ConditionalOnClass(name = "org.springframework.web.reactive.DispatcherHandler")
	static ReactiveBeansCheck sluiceReactiveBeansCheck(Environment environment) {
		return new ReactiveBeansCheck(environment);
	}

	@Bean
	@ConditionalOnMissingBean
	WebSocketDispatcher sluiceWebSocketDispatcher(@SluiceInbound SequentialLeveledTaskExecutor inbound,
			@SluiceOutbound SequentialLeveledTaskExecutor outbound, SluiceWebSocketProperties properties,
			ObjectProvider<JsonMapper> jsonMapper, ObjectProvider<ThrottleGate> gate,
			ObjectProvider<SentMessageRecorder> recorder, ObjectProvider<MessageErrorHandler> errorHandlers,
			ObjectProvider<LevelResolver> levels, ApplicationEventPublisher events,
			ObjectProvider<MessageObserver> observer, ObjectProvider<ServletServerContainerFactoryBean> containers,
			ObjectProvider<ServletContext> servletContext, ObjectProvider<PrincipalContext> principals,
			ListableBeanFactory beanFactory, ObjectProvider<BlockingWaits> blockingWaits,
			SluiceExecutionProperties execution,
			@Qualifier(TomcatHandlingReadersConfiguration.HANDLING_READERS) ObjectProvider<IntSupplier> readers) {
		WaterMarks marks = WaterMarks.of(properties.inbound(), execution);
		return WebSocketDispatcher.builder(inbound, outbound)
			.jsonMapper(jsonMapper.getIfAvailable(JsonMapper::shared))
			.gate(gate.getIfAvailable())
			.recorder(recorder.getIfAvailable())
			.errorHandlers(errorHandlers.orderedStream().toList())
			.levels(levels.getIfAvailable())
			.validator(MessageValidators.find(beanFactory))
			.events(events)
			.observer(observer.getIfUnique(() -> MessageObserver.NONE))
			.principals(principals.getIfUnique(() -> PrincipalContext.NONE))
			.blockingWaits(blockingWaits.getIfAvailable(BlockingWaits::unbounded))
			.handlingReaders(readers.getIfAvailable(() -> () -> 0))
			.settings(settings(properties, marks, new ContainerLimits(containers, servletContext.getIfAvailable())))
			.build();
	}

	private static WebSocketSettings settings(SluiceWebSocketProperties properties, WaterMarks marks,
			ContainerLimits container) {
		SluiceWebSocketProperties.Heartbeat heartbeat = properties.heartbeat();
		LivenessLimits liveness = new LivenessLimits(properties.handlingTimeLimit(), properties.messageTimeLimit(),
				heartbeat.interval(), heartbeat.timeout(),
				(properties.idleTimeout() != null) ? properties.idleTimeout() : container.idle().value());
		QuotaLimits quota = new QuotaLimits(orUnlimited(properties.maxSessions()),
				orUnlimited(properties.maxSessionsPerPrincipal()), orUnlimited(properties.maxSessionsPerAddress()));
		TotalLimits totals = new TotalLimits(bytesOrQuarter(properties.inbound().totalBufferSize()),
				bytesOrQuarter(properties.outbound().totalBufferSize()));
		return new WebSocketSettings(limits(properties, marks, container), liveness, quota, totals,
				properties.onThrottled(), properties.typeProperty());
	}

	private static SessionLimits limits(SluiceWebSocketProperties properties, WaterMarks marks,
			ContainerLimits container) {
		DataSize size = properties.maxMessageSize();
		InboundProperties inbound = properties.inbound();
		OutboundProperties outbound = properties.outbound();
		return new SessionLimits(bytesOr(size, container.text()), bytesOr(size, container.binary()),
				size == null && container.isToldBySessions(),
				new InboundLimits(marks.high(), marks.low(), bytes(inbound.bufferSizeLimit()),
						inbound.fallback() == InboundProperties.Fallback.BLOCK),
				new SendLimits(valueOr(outbound.sendTimeLimit(), OutboundLimits.DEFAULT_TIME),
						bytes(valueOr(outbound.bufferSizeLimit(), OutboundLimits.DEFAULT_SIZE))),
				outbound.overflow());
	}

	@Bean(defaultCandidate = false)
	SessionLimitsReport sluiceSessionLimitsReport(SluiceWebSocketProperties properties,
			ObjectProvider<ServletServerContainerFactoryBean> containers,
			ObjectProvider<ServletContext> servletContext) {
		ServletContext context = servletContext.getIfAvailable();
		return new SessionLimitsReport(properties, new ContainerLimits(containers, context), context);
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
			ObjectProvider<HandshakeHandler> handshakeHandler, ObjectProvider<SessionTypeResolver> sessionTypes) {
		WebSocketEndpointHandlerMapping mapping = new WebSocketEndpointHandlerMapping(dispatcher);
		mapping.setAllowedOrigins(properties.allowedOrigins());
		mapping.setHandshakeInterceptors(interceptors.orderedStream().toList());
		handshakeHandler.ifUnique(mapping::setHandshakeHandler);
		sessionTypes.ifAvailable(mapping::setSessionTypeResolver);
		return mapping;
	}

	@Bean
	@ConditionalOnMissingBean
	WebSocketLifecycle sluiceWebSocketLifecycle(WebSocketDispatcher dispatcher, SluiceWebSocketProperties properties,
			ObjectProvider<LifecycleProperties> lifecycle) {
		Duration phase = lifecycle.getIfAvailable(LifecycleProperties::new).getTimeoutPerShutdownPhase();
		Duration timeout = properties.shutdownTimeout();
		if (timeout == null) {
			timeout = phase.multipliedBy(3).dividedBy(4);
		}
		else if (timeout.compareTo(phase) >= 0) {
			throw new InvalidConfigurationException(
					"Property 'sluice.websocket.shutdown-timeout' must be less than "
							+ "'spring.lifecycle.timeout-per-shutdown-phase', which is " + phase + ": " + timeout,
					"Remove 'sluice.websocket.shutdown-timeout' to have three quarters of the phase, or set a shorter "
							+ "time, or raise 'spring.lifecycle.timeout-per-shutdown-phase'.");
		}
		return new WebSocketLifecycle(dispatcher.shutdown(), timeout);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnMissingBean(name = "sluiceEndpointMethods")
	static DispatchedMethods sluiceEndpointMethods() {
		return HandlerMethods::isEndpointMethod;
	}

	@Bean(name = HANDLER_METHODS)
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnBooleanProperty(name = "sluice.websocket.handlers.enabled", matchIfMissing = true)
	@ConditionalOnMissingBean(name = HANDLER_METHODS)
	static DispatchedMethods sluiceHandlerMethods() {
		return HandlerMethods::isHandlerMethod;
	}

	@Bean(defaultCandidate = false)
	@ConditionalOnBooleanProperty(name = "sluice.websocket.handlers.enabled", matchIfMissing = true)
	@ConditionalOnMissingBean
	static OrderedHandlerAdapterPostProcessor sluiceOrderedHandlerAdapterPostProcessor(
			ObjectProvider<OrderedRequestHandlers> handlers) {
		return new OrderedHandlerAdapterPostProcessor(handlers::getObject);
	}

	@Bean
	@ConditionalOnBooleanProperty(name = "sluice.websocket.handlers.enabled", matchIfMissing = true)
	@ConditionalOnMissingBean
	OrderedRequestHandlers sluiceOrderedRequestHandlers(ObjectProvider<WebSocketDispatcher> dispatcher,
			SluiceWebSocketProperties properties, ObjectProvider<AbstractUrlHandlerMapping> mappings) {
		return new OrderedRequestHandlers(dispatcher::getObject, notExcluded(properties.handlers()), mappings::stream);
	}

	private static Predicate<String> notExcluded(SluiceWebSocketProperties.Handlers handlers) {
		List<PathPattern> excluded = handlers.excludePaths()
			.stream()
			.map(PathPatternParser.defaultInstance::parse)
			.toList();
		return (path) -> excluded.stream().noneMatch((pattern) -> pattern.matches(PathContainer.parsePath(path)));
	}

	private static int orUnlimited(@Nullable Integer limit) {
		return (limit != null) ? limit : Integer.MAX_VALUE;
	}

	private static long bytesOrQuarter(@Nullable DataSize size) {
		return (size != null) ? size.toBytes() : Runtime.getRuntime().maxMemory() / 4;
	}

	private static <T> T valueOr(@Nullable T value, SourcedLimit<T> otherwise) {
		return (value != null) ? value : Objects.requireNonNull(otherwise.value());
	}

	private static int bytesOr(@Nullable DataSize size, SourcedLimit<DataSize> otherwise) {
		DataSize chosen = (size != null) ? size : otherwise.value();
		return (chosen != null) ? bytes(chosen) : Integer.MAX_VALUE;
	}

	private static int bytes(DataSize size) {
		return Math.toIntExact(size.toBytes());
	}

}
