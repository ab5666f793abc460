package com.example.dispatch;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** Roles and their permissions. Every password is the name, for the tests. */
@Configuration(proxyBeanMethods = false)
@EnableMethodSecurity
class Security {

	@Bean
	SecurityFilterChain doors(HttpSecurity http) throws Exception {
		return http
			.authorizeHttpRequests((requests) -> requests.requestMatchers("/vehicle")
				.hasRole("VEHICLE")
				.requestMatchers("/board")
				.hasRole("DISPATCHER")
				.requestMatchers(HttpMethod.POST, "/calls")
				.hasRole("HOSPITAL")
				.requestMatchers("/actuator/**")
				.hasRole("OPERATOR")
				.anyRequest()
				.authenticated())
			.httpBasic(Customizer.withDefaults())
			.csrf(AbstractHttpConfigurer::disable)
			.build();
	}

	@Bean
	UserDetailsService users() {
		return new InMemoryUserDetailsManager(user("north", "VEHICLE"), user("south", "VEHICLE"),
				user("anna", "DISPATCHER", "CHIEF"), user("ben", "DISPATCHER"), user("mercy", "HOSPITAL"),
				user("grace", "HOSPITAL"), user("olga", "OPERATOR"));
	}

	private static UserDetails user(String name, String... roles) {
		return User.withUsername(name).password("{noop}" + name).roles(roles).build();
	}

}
