package dev.sluice.autoconfigure.properties.names;

import java.util.Map;

import dev.sluice.autoconfigure.properties.CheckedProperties;
import dev.sluice.autoconfigure.properties.PropertyRules;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/** Groups of properties that are bound at the start, or when they are needed. */
class PropertyChecksTests {

	private final StandardEnvironment environment = new StandardEnvironment();

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	@Test
	void groupOfWhichNothingIsSetIsLazy() {
		this.beans.registerBeanDefinition("group", new RootBeanDefinition(Group.class));
		check();
		assertThat(this.beans.getBeanDefinition("group").isLazyInit()).isTrue();
	}

	@Test
	void groupOfWhichOneIsSetIsBoundAtTheStart() {
		this.beans.registerBeanDefinition("group", new RootBeanDefinition(Group.class));
		this.environment.getPropertySources()
			.addFirst(new MapPropertySource("test", Map.of("group.of-tests.one", "1")));
		check();
		assertThat(this.beans.getBeanDefinition("group").isLazyInit()).isFalse();
	}

	@Test
	void groupThatIsRegisteredAsAnObjectStays() {
		Group group = new Group();
		this.beans.registerSingleton("group", group);
		check();
		assertThat(this.beans.getBean("group")).isSameAs(group);
	}

	private void check() {
		new PropertyChecks(this.environment).postProcessBeanFactory(this.beans);
	}

	@ConfigurationProperties("group.of-tests")
	static class Group implements CheckedProperties {

		@Override
		public void check(PropertyRules rules) {
		}

	}

}
