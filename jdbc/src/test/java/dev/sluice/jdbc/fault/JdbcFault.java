package dev.sluice.jdbc.fault;

import java.util.EnumSet;
import java.util.Set;

/** Fault of a server, of the way to it, or of what its operators do. */
enum JdbcFault {

	READ_ONLY("25006") {

		@Override
		void begin(JdbcFaultSite site) throws Exception {
			site.execute("ALTER ROLE %s SET default_transaction_read_only = on");
			site.terminate();
		}

		@Override
		void end(JdbcFaultSite site) throws Exception {
			site.execute("ALTER ROLE %s RESET default_transaction_read_only");
			site.terminate();
		}

	},

	TABLES_LOCKED("55P03") {

		@Override
		void begin(JdbcFaultSite site) throws Exception {
			site.lock("LOCK TABLE sluice_rate, sluice_hold, sluice_line, sluice_limit, sluice_node");
		}

		@Override
		void end(JdbcFaultSite site) throws Exception {
			site.unlock();
		}

	},

	ROWS_LOCKED("55P03") {

		@Override
		void begin(JdbcFaultSite site) throws Exception {
			site.lock("SELECT FROM sluice_rate FOR UPDATE");
			site.lock("SELECT FROM sluice_hold FOR UPDATE");
			site.lock("SELECT FROM sluice_node FOR UPDATE");
		}

		@Override
		void end(JdbcFaultSite site) throws Exception {
			site.unlock();
		}

	},

	RIGHTS_REVOKED("42501") {

		@Override
		void begin(JdbcFaultSite site) throws Exception {
			site.execute("REVOKE ALL ON ALL TABLES IN SCHEMA %s FROM %s");
		}

		@Override
		void end(JdbcFaultSite site) throws Exception {
			site.execute("GRANT ALL ON ALL TABLES IN SCHEMA %s TO %s");
		}

	},

	TABLES_RENAMED("42P01") {

		@Override
		void begin(JdbcFaultSite site) throws Exception {
			for (String table : JdbcFaultSite.TABLES) {
				site.inSchema("ALTER TABLE " + table + " RENAME TO old_" + table);
			}
		}

		@Override
		void end(JdbcFaultSite site) throws Exception {
			for (String table : JdbcFaultSite.TABLES) {
				site.inSchema("ALTER TABLE old_" + table + " RENAME TO " + table);
			}
		}

	},

	FUNCTIONS_RENAMED("42883") {

		@Override
		void begin(JdbcFaultSite site) throws Exception {
			for (String function : JdbcFaultSite.FUNCTIONS) {
				site.inSchema("ALTER FUNCTION " + function + " RENAME TO old_" + function);
			}
		}

		@Override
		void end(JdbcFaultSite site) throws Exception {
			for (String function : JdbcFaultSite.FUNCTIONS) {
				site.inSchema("ALTER FUNCTION old_" + function + " RENAME TO " + function);
			}
		}

	},

	SCHEMA_GONE("") {

		@Override
		void begin(JdbcFaultSite site) throws Exception {
			site.execute("ALTER SCHEMA %s RENAME TO %1$s_old");
		}

		@Override
		void end(JdbcFaultSite site) throws Exception {
			site.execute("ALTER SCHEMA %1$s_old RENAME TO %1$s");
		}

	},

	DISK_FULL("53100") {

		@Override
		void begin(JdbcFaultSite site) throws Exception {
			site.failWrites("53100");
		}

		@Override
		void end(JdbcFaultSite site) throws Exception {
			site.allowWrites();
		}

	},

	NO_CONNECTIONS_LEFT("53300") {

		@Override
		void begin(JdbcFaultSite site) throws Exception {
			site.execute("ALTER ROLE %s CONNECTION LIMIT 0");
			site.terminate();
		}

		@Override
		void end(JdbcFaultSite site) throws Exception {
			site.execute("ALTER ROLE %s CONNECTION LIMIT -1");
		}

	},

	NO_LOGIN("28000") {

		@Override
		void begin(JdbcFaultSite site) throws Exception {
			site.execute("ALTER ROLE %s NOLOGIN");
			site.terminate();
		}

		@Override
		void end(JdbcFaultSite site) throws Exception {
			site.execute("ALTER ROLE %s LOGIN");
		}

	},

	POOL_EXHAUSTED("") {

		@Override
		void begin(JdbcFaultSite site) throws Exception {
			site.takeConnections();
		}

		@Override
		void end(JdbcFaultSite site) throws Exception {
			site.returnConnections();
		}

	},

	/**
	 * Others keep all connections of PgBouncer to the server, so that calls wait there.
	 */
	PGBOUNCER_EXHAUSTED("") {

		@Override
		void begin(JdbcFaultSite site) throws Exception {
			site.beginTransactions();
		}

		@Override
		void end(JdbcFaultSite site) throws Exception {
			site.returnConnections();
		}

	},

	STOPPED("") {

		@Override
		void begin(JdbcFaultSite site) throws Exception {
			site.signal("STOP");
		}

		@Override
		void end(JdbcFaultSite site) throws Exception {
			site.signal("CONT");
		}

	};

	/** Faults of a server that is not behind PgBouncer. */
	static final Set<JdbcFault> WITHOUT_PGBOUNCER = EnumSet.complementOf(EnumSet.of(PGBOUNCER_EXHAUSTED));

	/** The SQLSTATE that the log names; empty if it names none. */
	final String state;

	JdbcFault(String state) {
		this.state = state;
	}

	abstract void begin(JdbcFaultSite site) throws Exception;

	abstract void end(JdbcFaultSite site) throws Exception;

}
