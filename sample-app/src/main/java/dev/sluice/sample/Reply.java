package dev.sluice.sample;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/** What the bank answers, written as JSON; a part that does not apply is left out. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Reply(String type, @Nullable String reason, @Nullable String detail, @Nullable Long balance) {

	static Reply receipt(long balance) {
		return new Reply("receipt", null, null, balance);
	}

	static Reply insufficientFunds(long balance) {
		return new Reply("error", "insufficient-funds", null, balance);
	}

	static Reply refusal(String reason, String detail) {
		return new Reply("error", reason, detail, null);
	}

}
