/**
 * Limits of the methods of beans. Users need {@code dev.sluice.annotation},
 * {@code dev.sluice.aop} and {@code dev.sluice.aop.spi} alone.
 */
@SuppressWarnings({ "module", "requires-automatic", "requires-transitive-automatic" })
module dev.sluice.spring {

	requires java.desktop;
	requires org.apache.commons.logging;
	requires spring.context;
	requires spring.expression;
	requires transitive dev.sluice.core;
	requires transitive spring.aop;
	requires transitive spring.beans;
	requires transitive spring.core;
	requires static org.reactivestreams;
	requires static reactor.core;
	requires static spring.tx;
	requires static spring.web;
	requires static transitive org.jspecify;

	exports dev.sluice.annotation;
	exports dev.sluice.aop;
	exports dev.sluice.aop.spi;
	exports dev.sluice.lifecycle to dev.sluice.autoconfigure, dev.sluice.websocket;

	opens dev.sluice.annotation to spring.core;

}
