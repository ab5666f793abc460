package dev.sluice.jdbc.connection;

import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class SqlStatesTests {

	@ParameterizedTest
	@CsvSource({ "08001,UNAVAILABLE", "08004,MISCONFIGURED", "08006,UNAVAILABLE", "25006,UNAVAILABLE",
			"28P01,MISCONFIGURED", "28000,MISCONFIGURED", "3D000,MISCONFIGURED", "3F000,MISCONFIGURED",
			"42501,MISCONFIGURED", "42883,MISCONFIGURED", "42P01,MISCONFIGURED", "53100,UNAVAILABLE",
			"53200,UNAVAILABLE", "53300,UNAVAILABLE", "55P03,TIMED_OUT", "57014,TIMED_OUT", "57P01,UNAVAILABLE",
			"57P03,UNAVAILABLE", "58030,UNAVAILABLE", "XX001,UNAVAILABLE", "40001,STATEMENT", "40P01,STATEMENT",
			"22003,STATEMENT", "42601,STATEMENT", "P0001,STATEMENT" })
	void stateDecides(String state, SqlStates.Meaning meaning) {
		assertThat(SqlStates.meaning(new SQLException("failed", state))).isEqualTo(meaning);
		SQLException ofThePool = new SQLTransientConnectionException("no connection", null,
				new SQLException("failed", state));
		assertThat(SqlStates.meaning(ofThePool)).isEqualTo(meaning);
	}

	@Test
	void poolWithoutAConnectionInTimeHasNoState() {
		assertThat(SqlStates.meaning(new SQLTransientConnectionException("timed out")))
			.isEqualTo(SqlStates.Meaning.TIMED_OUT);
	}

	@Test
	void settingThatThePoolRejectsIsAMistake() {
		assertThat(SqlStates.meaning(new SQLFeatureNotSupportedException("no")))
			.isEqualTo(SqlStates.Meaning.MISCONFIGURED);
	}

	@Test
	void statementThatTheServerRejectsIsUndone() {
		assertThat(SqlStates.isUndone(new SQLException("read-only", "25006"))).isTrue();
		assertThat(SqlStates.isUndone(new SQLException("connection lost", "08006"))).isFalse();
		assertThat(SqlStates.isUndone(new SQLException("terminated", "57P01"))).isFalse();
		assertThat(SqlStates.isUndone(new SQLTransientConnectionException("timed out"))).isFalse();
	}

}
