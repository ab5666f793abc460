package dev.sluice.aop;

import org.springframework.aop.framework.ProxyFactory;

/** Makes limited proxies without an application context. */
public final class Proxies {

	private Proxies() {
	}

	@SuppressWarnings("unchecked")
	public static <T> T limited(T target, ThrottleGate gate) {
		ProxyFactory factory = new ProxyFactory(target);
		factory.setProxyTargetClass(true);
		factory.addAdvisor(new ThrottleAdvisor(() -> gate, (method, type) -> false, false));
		return (T) factory.getProxy();
	}

}
