package dev.sluice.redis;

import java.util.Map;

import dev.sluice.redis.concurrency.RedisConcurrencyThrottle;
import dev.sluice.redis.connection.KeyNames;
import dev.sluice.redis.connection.RedisNode;
import dev.sluice.redis.rate.RedisRateThrottle;
import dev.sluice.redis.throttle.RedisThrottle;
import dev.sluice.throttle.internal.failover.FailoverThrottle;
import org.jspecify.annotations.Nullable;

/**
 * Messages that Redis publishes to a node: changes of limits, grants, and keys of which
 * permits may be available, or in whose line the node is the first.
 *
 * @param node the node
 * @param throttles the limits that are open at it, by name
 */
record NodeMessages(RedisNode node, Map<String, FailoverThrottle<RedisThrottle>> throttles) {

	/** Passes a message on to the limit that it is about; called on an event loop. */
	void received(String channel, String message) {
		KeyNames names = this.node.names();
		if (channel.equals(names.limitsChannel())) {
			changed(KeyNames.unescape(message));
		}
		else if (channel.equals(names.grantsChannel(this.node.name()))) {
			int space = message.indexOf(' ');
			granted(Long.parseLong(message.substring(0, space)), message.substring(space + 1));
		}
		else {
			available(message);
		}
	}

	private void changed(String resource) {
		FailoverThrottle<RedisThrottle> throttle = this.throttles.get(resource);
		if (throttle != null) {
			throttle.stored().renew();
		}
	}

	private void granted(long token, String content) {
		KeyNames names = this.node.names();
		String state = KeyNames.stateIn(content);
		String resource = names.resourceOf(state);
		if (redis(resource) instanceof RedisConcurrencyThrottle throttle) {
			throttle.granted(names.keyOf(resource, state), content.substring(state.length()), token);
		}
	}

	private void available(String state) {
		KeyNames names = this.node.names();
		String resource = names.resourceOf(state);
		RedisThrottle throttle = redis(resource);
		if (throttle instanceof RedisConcurrencyThrottle concurrency) {
			concurrency.check(names.keyOf(resource, state));
		}
		else if (throttle instanceof RedisRateThrottle rate) {
			if (state.equals(names.shared(resource))) {
				rate.checkAll();
			}
			else {
				rate.check(names.keyOf(resource, state));
			}
		}
	}

	private @Nullable RedisThrottle redis(String resource) {
		FailoverThrottle<RedisThrottle> throttle = this.throttles.get(resource);
		return (throttle != null) ? throttle.stored() : null;
	}

}
