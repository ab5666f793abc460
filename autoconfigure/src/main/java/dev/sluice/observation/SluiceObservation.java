package dev.sluice.observation;

import java.util.Locale;

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
	 * session's queue included. A child of the current observation of the thread that
	 * received it.
	 */
	MESSAGE_HANDLING(MessageConvention.class, MessageKeyNames.values(), MessageDetailKeyNames.values(),
			MessageEvents.values()),

	/**
	 * A message to a client, from the call that sends it to the time when the container
	 * has sent it. A child of the current observation of the thread that sends it.
	 */
	MESSAGE_SENDING(MessageConvention.class, MessageKeyNames.values(), EMPTY, MessageEvents.values()),

	/** The time that a call waits in line for permits. */
	THROTTLE_LINE(LineConvention.class, LineKeyNames.values(), EMPTY),

	/**
	 * A request of a node to all nodes concerned, from the call until all have answered.
	 * For a publication that awaits no answer, it ends when the bus has accepted the
	 * message. A child of the current observation of the calling thread; the trace is
	 * sent with the message.
	 */
	CLUSTER_SENDING(ClusterConvention.class, ClusterKeyNames.values(), ClusterDetailKeyNames.values()),

	/**
	 * The handling of a request by a node, for itself or for another node, until it has
	 * completed. A child of {@link #CLUSTER_SENDING} of the node that sent the request.
	 */
	CLUSTER_RECEIVING(ClusterConvention.class, ClusterKeyNames.values(), ClusterDetailKeyNames.values());

	private final Class<? extends ObservationConvention<? extends Observation.Context>> convention;

	private final KeyName[] keys;

	private final KeyName[] details;

	private final Observation.Event[] events;

	SluiceObservation(Class<? extends ObservationConvention<? extends Observation.Context>> convention, KeyName[] keys,
			KeyName[] details, Observation.Event... events) {
		this.convention = convention;
		this.keys = keys;
		this.details = details;
		this.events = events;
	}

	@Override
	public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
		return this.convention;
	}

	@Override
	public KeyName[] getLowCardinalityKeyNames() {
		return this.keys.clone();
	}

	@Override
	public KeyName[] getHighCardinalityKeyNames() {
		return this.details.clone();
	}

	@Override
	public Observation.Event[] getEvents() {
		return this.events.clone();
	}

	/**
	 * Keys of {@link #MESSAGE_HANDLING} and {@link #MESSAGE_SENDING}.
	 *
	 * @since 0.1.0
	 */
	public enum MessageKeyNames implements KeyName {

		/** Level of the message: {@code high} or {@code normal}. */
		LEVEL,

		/** Outcome of the message; see {@link MessageObservationContext.Outcome}. */
		OUTCOME,

		/**
		 * Type of the session: the simple name of its class, {@code handler} or
		 * {@code stomp}.
		 */
		TYPE;

		private final String text = name().toLowerCase(Locale.ROOT);

		@Override
		public String asString() {
			return this.text;
		}

	}

	/**
	 * Keys of {@link #MESSAGE_HANDLING} that are for traces, and not for meters.
	 *
	 * @since 0.1.0
	 */
	public enum MessageDetailKeyNames implements KeyName {

		/**
		 * Type of the message: the type of a JSON message that a typed session maps, or
		 * {@code other}; {@code text} or {@code binary}; the kind of a STOMP message;
		 * {@code unknown} for a message without a handler.
		 */
		MESSAGE,

		/** Name of the user, where the client is not anonymous. */
		USER;

		private final String text = name().toLowerCase(Locale.ROOT);

		@Override
		public String asString() {
			return this.text;
		}

	}

	/**
	 * Events of {@link #MESSAGE_HANDLING} and {@link #MESSAGE_SENDING}.
	 *
	 * @since 0.1.0
	 */
	public enum MessageEvents implements Observation.Event {

		/**
		 * The message's turn has come; the time before this event is its time in the
		 * queue.
		 */
		TURN;

		private final String text = name().toLowerCase(Locale.ROOT);

		@Override
		public String getName() {
			return this.text;
		}

	}

	/**
	 * Keys of {@link #THROTTLE_LINE}.
	 *
	 * @since 0.1.0
	 */
	public enum LineKeyNames implements KeyName {

		/** How it ended: see {@link LineObservationContext.Outcome}. */
		OUTCOME,

		/** Name of the limit, or names of the limits with commas between them. */
		RESOURCE;

		private final String text = name().toLowerCase(Locale.ROOT);

		@Override
		public String asString() {
			return this.text;
		}

	}

	/**
	 * Keys of {@link #CLUSTER_SENDING} and {@link #CLUSTER_RECEIVING}.
	 *
	 * @since 0.1.0
	 */
	public enum ClusterKeyNames implements KeyName {

		/** The requested action; see {@link ClusterExchangeContext#getAction()}. */
		ACTION,

		/** How it ended: see {@link ClusterExchangeContext.Outcome}. */
		OUTCOME;

		private final String text = name().toLowerCase(Locale.ROOT);

		@Override
		public String asString() {
			return this.text;
		}

	}

	/**
	 * Keys of {@link #CLUSTER_SENDING} and {@link #CLUSTER_RECEIVING} that are for
	 * traces, and not for meters.
	 *
	 * @since 0.1.0
	 */
	public enum ClusterDetailKeyNames implements KeyName {

		/** Name of the topic, for actions on one topic. */
		TOPIC;

		private final String text = name().toLowerCase(Locale.ROOT);

		@Override
		public String asString() {
			return this.text;
		}

	}

}
