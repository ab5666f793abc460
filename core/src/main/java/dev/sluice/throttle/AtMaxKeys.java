package dev.sluice.throttle;

/**
 * Strategy for new keys of a throttle that has reached its maximum number of keys. A key
 * in use is never evicted.
 *
 * @since 0.1.0
 */
public enum AtMaxKeys {

	/** Makes room by forgetting idle keys; with none idle, the new key is rejected. */
	EVICT_IDLE,

	/** Rejects the new key until an idle one has left in its own time. */
	REJECT_NEW_KEYS

}
