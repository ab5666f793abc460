package dev.sluice.benchmarks.annotations;

import java.time.Duration;
import java.util.List;

import dev.sluice.throttle.Limit;
import dev.sluice.throttle.Throttle;
import dev.sluice.throttle.ThrottlingManager;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;
import org.springframework.resilience.annotation.EnableResilientMethods;

/** The contenders: beans as an application would get them, and proxies made by hand. */
enum Contender {

	/** Floor: the cost of a proxy by itself. */
	NO_OP_INTERCEPTOR("no-op interceptor"),

	/** Floor: the same, and one permit. */
	TRY_ACQUIRE("no-op interceptor + tryAcquire"),

	/**
	 * Floor: the same, with a key that compiled SpEL reads as in Spring's annotations.
	 */
	SPEL_KEY("no-op interceptor + tryAcquire + compiled SpEL"),

	/** One limit. */
	THROTTLED("Sluice @Throttled"),

	/** One limit a key. */
	THROTTLED_BY_KEY("Sluice @Throttled with a key"),

	/** As its starter wires it. */
	RESILIENCE4J("Resilience4j @RateLimiter"),

	/** Neither a rate nor a key. */
	CONCURRENCY_LIMIT("Spring @ConcurrencyLimit"),

	/** The cost of a limiter written as an aspect, before it limits. */
	NO_OP_ASPECT("no-op aspect");

	final String title;

	Contender(String title) {
		this.title = title;
	}

	/** A proxy in front of a bean. */
	Quotes create() {
		return switch (this) {
			case NO_OP_INTERCEPTOR -> proxy((invocation) -> invocation.proceed());
			case TRY_ACQUIRE -> {
				Throttle throttle = throttle();
				yield proxy((invocation) -> throttle.tryAcquire().admitted() ? invocation.proceed() : null);
			}
			case SPEL_KEY -> {
				Throttle throttle = throttle();
				Expression key = new SpelExpressionParser(new SpelParserConfiguration(SpelCompilerMode.IMMEDIATE, null))
					.parseExpression("#user.id");
				yield proxy((invocation) -> throttle.tryAcquire(keyOf(key, invocation.getArguments()[0])).admitted()
						? invocation.proceed() : null);
			}
			case THROTTLED -> bean(Quotes.Limited.class);
			case THROTTLED_BY_KEY -> bean(Quotes.LimitedByUser.class);
			case RESILIENCE4J -> bean(Quotes.LimitedByResilience4j.class);
			case CONCURRENCY_LIMIT -> bean(Quotes.LimitedBySpring.class);
			case NO_OP_ASPECT -> bean(Quotes.Observed.class);
		};
	}

	private static String keyOf(Expression key, @Nullable Object user) {
		EvaluationContext context = SimpleEvaluationContext.forReadOnlyDataBinding().build();
		context.setVariable("user", user);
		return String.valueOf(key.getValue(context));
	}

	private static Throttle throttle() {
		return ThrottlingManager.builder()
			.build()
			.addOrUpdate("quotes", Limit.fixedWindow(Quotes.LIMIT, Duration.ofSeconds(1)));
	}

	private static Quotes proxy(MethodInterceptor interceptor) {
		ProxyFactory factory = new ProxyFactory(new Quotes());
		factory.setProxyTargetClass(true);
		factory.addAdvice(interceptor);
		return (Quotes) factory.getProxy();
	}

	/** A separate application, so that contenders do not share advisors. */
	private static Quotes bean(Class<? extends Quotes> type) {
		return new SpringApplicationBuilder(Application.class, type).web(WebApplicationType.NONE)
			.properties(List
				.of("spring.main.banner-mode=off", "logging.level.root=warn",
						"resilience4j.ratelimiter.instances.quotes.limit-for-period=" + Quotes.LIMIT,
						"resilience4j.ratelimiter.instances.quotes.limit-refresh-period=1s",
						"resilience4j.ratelimiter.instances.quotes.timeout-duration=0")
				.toArray(String[]::new))
			.run()
			.getBean(Quotes.class);
	}

	@EnableAutoConfiguration
	@EnableAspectJAutoProxy
	@EnableResilientMethods
	static class Application {

		@Bean
		Quotes.NoOpAspect noOpAspect() {
			return new Quotes.NoOpAspect();
		}

	}

}
