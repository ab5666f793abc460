package dev.sluice.sample;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a customer asks for: well-formed, but not necessarily covered by the account. */
record Command(Type type, int amount) {

	private static final int MAX_AMOUNT = 1_000_000;

	enum Type {

		DEPOSIT, WITHDRAW

	}

	static Command parse(JsonNode json) throws InvalidException {
		if (!json.isObject()) {
			throw new InvalidException("unreadable", "A command is a JSON object");
		}
		return new Command(type(json.get("type")), amount(json.get("amount")));
	}

	private static Type type(@Nullable JsonNode type) throws InvalidException {
		return switch ((type != null) ? type.stringValue("") : "") {
			case "deposit" -> Type.DEPOSIT;
			case "withdraw" -> Type.WITHDRAW;
			default -> throw new InvalidException("unknown-type", "'type' must be deposit or withdraw: " + type);
		};
	}

	private static int amount(@Nullable JsonNode amount) throws InvalidException {
		if (amount == null || !amount.isIntegralNumber() || !amount.canConvertToInt() || amount.intValue() < 1
				|| amount.intValue() > MAX_AMOUNT) {
			throw new InvalidException("invalid-amount",
					"'amount' must be a whole number from 1 to " + MAX_AMOUNT + ": " + amount);
		}
		return amount.intValue();
	}

	/** Tells what is wrong with a command. */
	static final class InvalidException extends Exception {

		private static final long serialVersionUID = 1L;

		private final String reason;

		InvalidException(String reason, String detail) {
			super(detail);
			this.reason = reason;
		}

		Reply reply() {
			return Reply.refusal(this.reason, String.valueOf(getMessage()));
		}

	}

}
