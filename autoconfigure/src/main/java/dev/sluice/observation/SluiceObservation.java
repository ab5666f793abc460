package dev.sluice.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observations of Sluice. A
 * {@link io.micrometer.observation.GlobalObservationConvention} bean for their contexts
 * changes names and keys.
 *
 * @since 0.1.0
 */
public enum SluiceObservation implements ObservationDocumentation {

	/**
	 * A client's message, from its arrival to the end of its handling, the time in its
	 * session's queue included. A child of what the thread that brought it observes.
	 */
	MESSAGE_HANDLING {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return MessageHandlingConvention.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return MessageKeyNames.values();
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return MessageDetailKeyNames.values();
		}

		@Override
		public Observation.Event[] getEvents() {
			return MessageEvents.values();
		}

	},

	/**
	 * A message to a client, from the call that sends it to the time when the container
	 * has sent it. A child of what the thread that sends it observes.
	 */
	MESSAGE_SENDING {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return MessageSendingConvention.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return MessageKeyNames.values();
		}

		@Override
		public Observation.Event[] getEvents() {
			return MessageEvents.values();
		}

	},

	/** The time that a call stands in line for permits. */
	THROTTLE_LINE {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return LineConvention.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return LineKeyNames.values();
		}

	};

	/**
	 * Keys of {@link #MESSAGE_HANDLING} and {@link #MESSAGE_SENDING}.
	 *
	 * @since 0.1.0
	 */
	public enum MessageKeyNames implements KeyName {

		/** Level of the message: {@code high} or {@code normal}. */
		LEVEL {

			@Override
			public String asString() {
				return "level";
			}

		},

		/** What became of it: see {@link MessageObservationContext.Outcome}. */
		OUTCOME {

			@Override
			public String asString() {
				return "outcome";
			}

		},

		/**
		 * Type of the session: the simple name of its class, {@code handler} or
		 * {@code stomp}.
		 */
		TYPE {

			@Override
			public String asString() {
				return "type";
			}

		}

	}

	/**
	 * Keys of {@link #MESSAGE_HANDLING} that are for traces, and not for meters.
	 *
	 * @since 0.1.0
	 */
	public enum MessageDetailKeyNames implements KeyName {

		/**
		 * Type of the message: that of a JSON message which a typed session names, or
		 * {@code other}; {@code text} or {@code binary}; the kind of a STOMP message;
		 * {@code unknown} for one that nothing is for.
		 */
		MESSAGE {

			@Override
			public String asString() {
				return "message";
			}

		},

		/** Name of the user, where the client is not anonymous. */
		USER {

			@Override
			public String asString() {
				return "user";
			}

		}

	}

	/**
	 * Events of {@link #MESSAGE_HANDLING} and {@link #MESSAGE_SENDING}.
	 *
	 * @since 0.1.0
	 */
	public enum MessageEvents implements Observation.Event {

		/** The message's turn has come: what was before is its time in the queue. */
		TURN {

			@Override
			public String getName() {
				return "turn";
			}

		}

	}

	/**
	 * Keys of {@link #THROTTLE_LINE}.
	 *
	 * @since 0.1.0
	 */
	public enum LineKeyNames implements KeyName {

		/** How it ended: see {@link LineObservationContext.Outcome}. */
		OUTCOME {

			@Override
			public String asString() {
				return "outcome";
			}

		},

		/** Name of the limit, or names of the limits with commas between them. */
		RESOURCE {

			@Override
			public String asString() {
				return "resource";
			}

		}

	}

}
