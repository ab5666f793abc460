package dev.sluice.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;

/**
 * Serves the bank at {@code /bank} and its page at {@code /}.
 *
 * @since 0.1.0
 */
@SpringBootApplication
@EnableWebSocket
public class BankApplication implements WebSocketConfigurer {

	private final BankHandler bank;

	BankApplication(BankHandler bank) {
		this.bank = bank;
	}

	@Override
	public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
		registry.addHandler(this.bank, "/bank");
	}

	public static void main(String[] args) {
		SpringApplication.run(BankApplication.class, args);
	}

}
