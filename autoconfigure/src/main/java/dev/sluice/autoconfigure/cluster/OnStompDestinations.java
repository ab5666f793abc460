package dev.sluice.autoconfigure.cluster;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.OnPropertyListCondition;

/** Matches if destinations of STOMP are shared by all nodes. */
class OnStompDestinations extends OnPropertyListCondition {

	static final String PROPERTY = "sluice.cluster.stomp.destinations";

	OnStompDestinations() {
		super(PROPERTY, () -> ConditionMessage.forCondition("Destinations of all nodes"));
	}

}
