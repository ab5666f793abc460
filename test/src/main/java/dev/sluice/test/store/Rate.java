package dev.sluice.test.store;

import java.time.Duration;

import dev.sluice.throttle.Limit;

/** The kinds of rates, each with a bound that a list of grants can be held against. */
enum Rate {

	SLIDING_LOG {

		@Override
		Limit limit(int limit, Duration period) {
			return Limit.slidingLog(limit, period);
		}

	},

	FIXED_WINDOW {

		@Override
		Limit limit(int limit, Duration period) {
			return Limit.fixedWindow(limit, period);
		}

	},

	SLIDING_WINDOW {

		@Override
		Limit limit(int limit, Duration period) {
			return Limit.slidingWindow(limit, period, BUCKETS);
		}

	},

	DYNAMIC_WINDOW {

		@Override
		Limit limit(int limit, Duration period) {
			return Limit.dynamicWindow(limit, 1, limit, period, BUCKETS);
		}

	},

	TOKEN_BUCKET {

		@Override
		Limit limit(int limit, Duration period) {
			return Limit.tokenBucket(limit, limit, period);
		}

	};

	static final int BUCKETS = 4;

	/** Returns a limit that grants so many at once, and as many again in a period. */
	abstract Limit limit(int limit, Duration period);

}
