package dev.sluice.cluster;

import java.util.List;

/**
 * Record of a session that another connection may claim, on any node.
 *
 * @param key names the session for as long as it lives
 * @param node the node that has the session, or had it last
 * @param incarnation how many connections the session has had, from 1
 * @param secrets hashes of the secrets by which it may be claimed
 * @param owner whose session it is: a claim must name the same
 * @param content what its node wants to be kept, any text
 * @since 0.1.0
 */
public record SessionRecord(String key, String node, long incarnation, List<String> secrets, String owner,
		String content) {

	/** Copies the list. */
	public SessionRecord {
		secrets = List.copyOf(secrets);
	}

}
