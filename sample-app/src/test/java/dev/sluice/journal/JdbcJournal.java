package dev.sluice.journal;

import java.sql.Timestamp;
import java.util.List;

import javax.sql.DataSource;

import dev.sluice.websocket.SentMessage;
import dev.sluice.websocket.SentMessageJournal;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Keeps what was sent in a table: one transaction and one round of statements a batch. A
 * batch that fails leaves no row, so it can be offered again.
 */
class JdbcJournal implements SentMessageJournal {

	static final String TABLE = """
			create table sent_message (session_id varchar(100), principal varchar(256), type varchar(256),
				destination varchar(256), level varchar(6), size int, queued_at timestamp(9), sent_at timestamp(9), outcome varchar(6))""";

	private static final String INSERT = """
			insert into sent_message (session_id, principal, type, destination, level, size, queued_at, sent_at, outcome)
			values (?, ?, ?, ?, ?, ?, ?, ?, ?)""";

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	JdbcJournal(DataSource dataSource) {
		this.jdbc = new JdbcTemplate(dataSource);
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
	}

	@Override
	public void write(List<SentMessage> messages) {
		this.transaction.executeWithoutResult(
				(status) -> this.jdbc.batchUpdate(INSERT, messages, messages.size(), (statement, message) -> {
					statement.setString(1, message.sessionId());
					statement.setString(2, message.user());
					statement.setString(3, message.type());
					statement.setString(4, message.destination());
					statement.setString(5, message.level().name());
					statement.setInt(6, message.size());
					statement.setTimestamp(7, Timestamp.from(message.queuedAt()));
					statement.setTimestamp(8, Timestamp.from(message.sentAt()));
					statement.setString(9, message.outcome().name());
				}));
	}

}
