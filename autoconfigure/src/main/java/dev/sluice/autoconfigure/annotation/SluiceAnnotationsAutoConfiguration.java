package dev.sluice.autoconfigure.annotation;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

import dev.sluice.aop.AsyncThrottleBeanPostProcessor;
import dev.sluice.aop.StrictThrottleBeanPostProcessor;
import dev.sluice.aop.ThrottleAdvisor;
import dev.sluice.aop.ThrottleGate;
import dev.sluice.aop.ThrottledMethodVerifier;
import dev.sluice.aop.spi.BlockingWaits;
import dev.sluice.aop.spi.DeferredResults;
import dev.sluice.aop.spi.DispatchedMethods;
import dev.sluice.aop.spi.LineObserver;
import dev.sluice.autoconfigure.execution.ExecutorsConfiguration;
import dev.sluice.autoconfigure.properties.BooleanProperty;
import dev.sluice.autoconfigure.properties.ConditionalOnSwitch;
import dev.sluice.autoconfigure.throttle.ComposedDecorator;
import dev.sluice.autoconfigure.throttle.SluiceThrottleProperties;
import dev.sluice.autoconfigure.throttle.SluiceThrottlingAutoConfiguration;
import dev.sluice.autoconfigure.throttle.ThrottleSource;
import dev.sluice.autoconfigure.throttle.ThrottleSourceRegistry;
import dev.sluice.autoconfigure.websocket.SluiceWebSocketAutoConfiguration;
import dev.sluice.execution.TaskDecorator;
import dev.sluice.observation.DefaultObservers;
import dev.sluice.throttle.ThrottlingManager;
import dev.sluice.time.NanoClock;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration for {@code @Throttled}, {@code @Semaphore} and {@code @Mutex}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { SluiceWebSocketAutoConfiguration.class, SluiceThrottlingAutoConfiguration.class })
@ConditionalOnBean(ThrottlingManager.class)
@ConditionalOnSwitch("sluice.annotations.enabled")
@EnableConfigurationProperties(SluiceAnnotationsProperties.class)
@Import(SluiceAnnotationsAutoConfiguration.AutoProxyRegistrar.class)
public final class SluiceAnnotationsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ThrottleGate sluiceThrottleGate(ThrottlingManager manager, SluiceAnnotationsProperties properties,
			BlockingWaits blockingWaits, ThrottleSourceRegistry sources, SluiceThrottleProperties limits,
			ObjectProvider<LineObserver> observer, ObjectProvider<TaskDecorator> context,
			ObjectProvider<DeferredResults> deferredResults, ObjectProvider<NanoClock> clock,
			@Qualifier(ExecutorsConfiguration.WORKERS) ObjectProvider<Executor> workers,
			ConfigurableListableBeanFactory beanFactory) {
		return ThrottleGate.builder(manager)
			.placeholders(beanFactory::resolveEmbeddedValue)
			.defaults(properties.policy())
			.blockingWaits(blockingWaits)
			.observer(observer.getIfUnique(() -> DefaultObservers.ofLines(beanFactory)))
			.context(new ComposedDecorator(context.orderedStream().toList()))
			.clock(clock.getIfAvailable(NanoClock::system))
			.executor(workers.getIfAvailable(ForkJoinPool::commonPool))
			.deferredResults(deferredResults.getIfUnique(() -> DeferredResults.NONE))
			.beans(beanFactory)
			.onVerified(new UnnamedLimits(limits, sources)::report)
			.onDefined((throttle) -> {
				limits.check(throttle.resource());
				sources.remember(throttle, ThrottleSource.ANNOTATION);
			})
			.build();
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnMissingBean
	static ThrottleAdvisor sluiceThrottleAdvisor(ObjectProvider<ThrottleGate> gate,
			ObjectProvider<DispatchedMethods> dispatched, Environment environment) {
		return new ThrottleAdvisor(gate::getObject, anyOf(dispatched), strict(environment));
	}

	@Bean
	@ConditionalOnMissingBean
	static StrictThrottleBeanPostProcessor sluiceStrictThrottleBeanPostProcessor(ObjectProvider<ThrottleGate> gate,
			ObjectProvider<DispatchedMethods> dispatched, Environment environment) {
		return new StrictThrottleBeanPostProcessor(gate::getObject, anyOf(dispatched), strict(environment));
	}

	@Bean(defaultCandidate = false)
	@ConditionalOnMissingBean
	static AsyncThrottleBeanPostProcessor sluiceAsyncThrottleBeanPostProcessor(ObjectProvider<ThrottleGate> gate,
			ObjectProvider<DispatchedMethods> dispatched) {
		return new AsyncThrottleBeanPostProcessor(gate::getObject, anyOf(dispatched));
	}

	/**
	 * Resolves the beans at the first use, because a post processor must not create any.
	 */
	private static DispatchedMethods anyOf(ObjectProvider<DispatchedMethods> dispatched) {
		SingletonSupplier<List<DispatchedMethods>> all = SingletonSupplier.of(() -> dispatched.stream().toList());
		return (method, targetClass) -> all.obtain().stream().anyMatch((one) -> one.contains(method, targetClass));
	}

	private static boolean strict(Environment environment) {
		return environment.getProperty("sluice.annotations.strict", Boolean.class, false);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnMissingBean
	static ThrottledMethodVerifier sluiceThrottledMethodVerifier(ConfigurableListableBeanFactory beanFactory,
			ThrottleGate gate, ObjectProvider<DispatchedMethods> dispatched) {
		return new ThrottledMethodVerifier(beanFactory, gate, anyOf(dispatched));
	}

	/** Methods that sessions and handlers call, for which a proxy has no effect. */
	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	@ConditionalOnClass(name = { "org.springframework.web.socket.WebSocketHandler",
			"tools.jackson.databind.json.JsonMapper", "dev.sluice.websocket.handler.HandlerMethods" })
	@ConditionalOnMissingBean(name = "sluiceHandlerMethods")
	static DispatchedMethods sluiceHandlerMethods(BeanFactory beanFactory, Environment environment) {
		boolean sessions = beanFactory.containsBean(ExecutorsConfiguration.INBOUND);
		return new MessageMethods(sessions,
				sessions && BooleanProperty.isOn(environment, "sluice.websocket.handlers.enabled", true));
	}

	/** For handler methods of Spring MVC. */
	@Bean
	@ConditionalOnWebApplication(type = Type.SERVLET)
	@ConditionalOnClass(name = "org.springframework.web.servlet.DispatcherServlet")
	@ConditionalOnMissingBean
	DeferredResults sluiceDeferredResults() {
		return new RequestResults();
	}

	/**
	 * Registers an auto-proxy creator, which applies advisors with or without AspectJ.
	 */
	static class AutoProxyRegistrar implements ImportBeanDefinitionRegistrar {

		@Override
		public void registerBeanDefinitions(AnnotationMetadata importingClass, BeanDefinitionRegistry registry) {
			AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
		}

	}

}
