package com.example.beans;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Has beans that a library might be tempted to take or to reshape. */
@SpringBootApplication(proxyBeanMethods = false)
public final class BeansApplication {

	private BeansApplication() {
	}

	public static void main(String[] args) {
		SpringApplication.run(BeansApplication.class, args);
	}

}
