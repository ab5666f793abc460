package dev.sluice.websocket;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.annotation.Scope;
import org.springframework.core.annotation.AliasFor;
import org.springframework.stereotype.Component;

/**
 * Annotation that marks a {@link ManagedSession} whose instances serve the connections to
 * a path, one instance each. The class is a prototype bean: its dependencies are
 * injected, its destruction callbacks are called when the connection has ended.
 *
 * @since 0.1.0
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Component
@Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
public @interface WebSocketEndpoint {

	/**
	 * Returns the paths.
	 * @return the same as {@link #path()}
	 */
	@AliasFor("path")
	String[] value() default {};

	/**
	 * Returns the paths, including patterns with variables ({@code "/bank/{branch}"}).
	 * Placeholders are replaced.
	 * @return one or several paths
	 */
	@AliasFor("value")
	String[] path() default {};

	/**
	 * Returns the sub-protocols that distinguish classes of the same path. A class with
	 * sub-protocols serves only clients that request one of them. If a client requests
	 * several, the class of the one it prefers is chosen. A class without sub-protocols
	 * serves clients that request none, or none of those available.
	 * @return the sub-protocols; none by default
	 * @see SessionTypeResolver
	 */
	String[] subProtocols() default {};

	/**
	 * Returns the topics that each session joins when it has opened, before its first
	 * message of level {@code NORMAL} is handled. The session leaves them when it ends.
	 * Placeholders are replaced, then variables of the path ({@code "room-{room}"}). A
	 * session that cannot join is closed. The sessions' cluster is started with the
	 * application. Topics require the module {@code sluice-cluster}.
	 * @return the names of the topics; none by default
	 */
	String[] topics() default {};

	/**
	 * Returns whether a client that has lost its connection may resume its session,
	 * within {@code sluice.cluster.resume.window}, on any node. Its messages are
	 * numbered, and the client sends protocol frames, as {@code docs/protocol.md}
	 * describes; bytes cannot be sent to it. The sessions' cluster is started with the
	 * application. Resumable sessions require the module {@code sluice-cluster}.
	 * @return whether sessions resume; {@code false} by default
	 * @see ManagedSession#onResume
	 */
	boolean resumable() default false;

}
