package dev.sluice.actuate;

import java.util.stream.Stream;

import dev.sluice.autoconfigure.fixture.PageTable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The tables of fields, meters and observations in {@code docs/operations.md}: each row
 * names the tests that hold it, and whoever changes a row has to look at them.
 */
class FieldTablesTests {

	@TestFactory
	Stream<DynamicTest> fieldsOfTheEndpoint() {
		return PageTable.of("operations.md", "field | meaning")
			.row("`queues.*` | an executor: `inbound`, `outbound`, or one of your own by its bean name "
					+ "(`application.inbound` where that is `inbound`)",
					"ThrottlingEndpointTests#showsAllPartsInTheirOrder",
					"SluiceMetricsAutoConfigurationTests#anExecutorOfTheApplicationIsMeteredByItsBeanName")
			.row("`queues.*.maxTasksBeforeYield` | tasks of a queue that a worker runs before it turns to another that "
					+ "waits", "ThrottlingChangesTests#changesAfterHowManyTasksAWorkerLeavesAQueue")
			.row("`queues.*.version` | version of `maxTasksBeforeYield`: 1 at the start, incremented by each change",
					"ThrottlingChangesTests#changesAfterHowManyTasksAWorkerLeavesAQueue",
					"FairnessTests#eachChangeOfTheTurnHasAVersion")
			.row("`queues.*.count` | queues, including idle ones; a session has one in each executor",
					"ThrottlingEndpointTests#showsWhatQueuesHoldWithoutTheirIds")
			.row("`queues.*.running` | queues that a worker is running",
					"ThrottlingEndpointTests#showsWhatQueuesHoldWithoutTheirIds")
			.row("`queues.*.paused` | queues that are paused",
					"ThrottlingEndpointTests#showsWhatQueuesHoldWithoutTheirIds")
			.row("`queues.*.held` | queues that wait for an asynchronous task to end, or for a permit, without a thread",
					"ThrottlingEndpointTests#showsWhatQueuesHoldWithoutTheirIds")
			.row("`queues.*.waiting.high` | waiting tasks of level `HIGH`",
					"ThrottlingEndpointTests#showsWhatQueuesHoldWithoutTheirIds")
			.row("`queues.*.waiting.normal` | waiting tasks of level `NORMAL`",
					"ThrottlingEndpointTests#showsWhatQueuesHoldWithoutTheirIds")
			.row("`queues.*.oldestWait` | seconds for which the oldest waiting task has waited",
					"TimingTests#snapshotsTellTheOldestWaitAndTheDeepestQueues",
					"ThrottlingEndpointTests#showsWhatQueuesHoldWithoutTheirIds")
			.row("`queues.*.completed` | tasks that returned", "TimingTests#listenerHearsOfEveryEndWithItsTimes",
					"ExecutionMetricsTests#snapshotsTellTheRest",
					"ThrottlingEndpointTests#showsWhatQueuesHoldWithoutTheirIds")
			.row("`queues.*.failed` | tasks that threw", "TimingTests#listenerHearsOfEveryEndWithItsTimes",
					"ExecutionMetricsTests#snapshotsTellTheRest",
					"ThrottlingEndpointTests#showsWhatQueuesHoldWithoutTheirIds")
			.row("`queues.*.rejected` | tasks that were rejected, because the queue was full, the executor was shut down, "
					+ "or there was no worker", "TimingTests#listenerHearsOfEveryEndWithItsTimes",
					"ExecutionMetricsTests#snapshotsTellTheRest",
					"ThrottlingEndpointTests#showsWhatQueuesHoldWithoutTheirIds")
			.row("`queues.*.dropped` | tasks that were dropped because the queue was full",
					"TimingTests#listenerHearsOfEveryEndWithItsTimes", "ExecutionMetricsTests#snapshotsTellTheRest",
					"ThrottlingEndpointTests#showsWhatQueuesHoldWithoutTheirIds")
			.row("`queues.*.expired` | tasks whose time to live had passed before they started",
					"TimingTests#listenerHearsOfEveryEndWithItsTimes", "ExecutionMetricsTests#snapshotsTellTheRest",
					"ThrottlingEndpointTests#showsWhatQueuesHoldWithoutTheirIds")
			.row("`queues.*.cancelled` | tasks that were cancelled before they started",
					"TimingTests#listenerHearsOfEveryEndWithItsTimes", "ExecutionMetricsTests#snapshotsTellTheRest",
					"ThrottlingEndpointTests#showsWhatQueuesHoldWithoutTheirIds")
			.row("`queues.*.listenerFailures` | exceptions thrown by its listener",
					"TimingTests#throwingListenerIsCountedAndAltersNothing")
			.row("`queues.*.deepest[].id` | id of a queue with most waiting tasks",
					"ThrottlingEndpointTests#showsWhatQueuesHoldWithoutTheirIds")
			.row("`queues.*.deepest[].state` | `waiting` (for a worker), `running`, `held` or `paused`",
					"ThrottlingEndpointTests#showsWhatQueuesHoldWithoutTheirIds")
			.row("`queues.*.deepest[].waiting.high` | its waiting tasks of level `HIGH`",
					"ThrottlingEndpointTests#showsWhatQueuesHoldWithoutTheirIds")
			.row("`queues.*.deepest[].waiting.normal` | its waiting tasks of level `NORMAL`",
					"ThrottlingEndpointTests#showsWhatQueuesHoldWithoutTheirIds")
			.row("`queues.*.deepest[].oldestWait` | seconds for which the oldest of these has waited",
					"TimingTests#snapshotsTellTheOldestWaitAndTheDeepestQueues",
					"ThrottlingEndpointTests#showsWhatQueuesHoldWithoutTheirIds")
			.row("`sessions.count` | open WebSocket sessions", "EndpointTests#showsWhatWasDone")
			.row("`sessions.types.*` | open sessions of a class; `handler` is for handlers of your own, `stomp` for STOMP",
					"EndpointTests#showsWhatWasDone")
			.row("`throttles.*.type` | kind of the limit",
					"ThrottlingEndpointTests#showsWhatARateHasDoneWithoutItsKeys")
			.row("`throttles.*.limit` | permits in a period, or held at once; absent for a dynamic window",
					"ThrottlingEndpointTests#showsWhatARateHasDoneWithoutItsKeys",
					"ThrottlingEndpointTests#showsWhatADynamicWindowHasInstead",
					"ThrottlingEndpointTests#showsWhoHoldsAMutexWithoutTheirNames")
			.row("`throttles.*.period` | time in which the limit is granted; absent for a semaphore or mutex",
					"ThrottlingEndpointTests#showsWhatARateHasDoneWithoutItsKeys",
					"ThrottlingEndpointTests#showsWhatADynamicWindowHasInstead",
					"ThrottlingEndpointTests#showsWhoHoldsAMutexWithoutTheirNames")
			.row("`throttles.*.buckets` | buckets in the period of a sliding or dynamic window",
					"ThrottlingEndpointTests#showsWhatASlidingWindowHasBesides",
					"ThrottlingEndpointTests#showsWhatADynamicWindowHasInstead")
			.row("`throttles.*.capacity` | permits that a token bucket holds, or that a dynamic window grants to all keys "
					+ "together", "ThrottlingEndpointTests#showsWhatATokenBucketHasBesides",
					"ThrottlingEndpointTests#showsWhatADynamicWindowHasInstead")
			.row("`throttles.*.minLimit` | least share of a key of a dynamic window",
					"ThrottlingEndpointTests#showsWhatADynamicWindowHasInstead")
			.row("`throttles.*.maxLimit` | largest share of a key of a dynamic window",
					"ThrottlingEndpointTests#showsWhatADynamicWindowHasInstead")
			.row("`throttles.*.dryRun` | whether it only counts and rejects nothing",
					"ChangeTests#dryRunCountsAndRejectsNothing")
			.row("`throttles.*.source` | where its present definition is from: `property`, `annotation`, `customizer` or "
					+ "`runtime`", "ThrottleSourceRegistryTests#whatAPropertyDefinesAgainIsTheProperties",
					"ThrottleSourceRegistryTests#whatIsChangedAfterTheStartIsOfTheRunTime")
			.row("`throttles.*.version` | 1 when defined, incremented by each change",
					"ThrottlingChangesTests#changesOfALimitWhatIsGivenAndMintsNothing")
			.row("`throttles.*.admitted` | permits granted",
					"ThrottlingEndpointTests#showsWhatARateHasDoneWithoutItsKeys")
			.row("`throttles.*.rejected` | calls rejected; in a dry run, calls that would have been rejected",
					"ThrottlingEndpointTests#showsWhatARateHasDoneWithoutItsKeys")
			.row("`throttles.*.waiting` | calls in the waiting lines of all keys",
					"ThrottlingEndpointTests#showsWhatARateHasDoneWithoutItsKeys")
			.row("`throttles.*.keys` | keys with state", "ThrottlingEndpointTests#showsWhatARateHasDoneWithoutItsKeys")
			.row("`throttles.*.hottest[].key` | a key of a rate limit that has used most permits",
					"ThrottlingEndpointTests#showsWhatARateHasDoneWithoutItsKeys")
			.row("`throttles.*.hottest[].used` | permits it has used in the period",
					"ThrottlingEndpointTests#showsWhatARateHasDoneWithoutItsKeys")
			.row("`throttles.*.hottest[].remaining` | permits it has left",
					"ThrottlingEndpointTests#showsWhatARateHasDoneWithoutItsKeys")
			.row("`throttles.*.hottest[].rejected` | calls rejected since the key was last idle",
					"ThrottlingEndpointTests#showsWhatARateHasDoneWithoutItsKeys")
			.row("`throttles.*.hottest[].waiting` | calls in its waiting line",
					"ThrottlingEndpointTests#showsWhatARateHasDoneWithoutItsKeys")
			.row("`throttles.*.hottest[].retryAfter` | seconds until a permit is available",
					"ThrottlingEndpointTests#showsWhatARateHasDoneWithoutItsKeys")
			.row("`throttles.*.held` | permits of a semaphore or mutex that are held",
					"ThrottlingEndpointTests#showsWhoHoldsAMutexWithoutTheirNames")
			.row("`throttles.*.holders[].key` | a key of which permits are held; the longest held first",
					"ThrottlingEndpointTests#showsWhoHoldsAMutexWithoutTheirNames")
			.row("`throttles.*.holders[].owner` | owner of these permits",
					"ThrottlingEndpointTests#showsWhoHoldsAMutexWithoutTheirNames")
			.row("`throttles.*.holders[].permits` | number of these permits",
					"ThrottlingEndpointTests#showsWhoHoldsAMutexWithoutTheirNames")
			.row("`throttles.*.holders[].since` | time since which they are held",
					"ThrottlingEndpointTests#showsWhoHoldsAMutexWithoutTheirNames")
			.row("`throttles.*.holders[].waiting` | calls in the waiting line of the key",
					"ThrottlingEndpointTests#showsWhoHoldsAMutexWithoutTheirNames")
			.row("`batches.*` | a [batch](batches.md), or a `BatchConsumer` of your own by its bean name "
					+ "(`application.invoices` where a batch is called `invoices`, and `application.journal`); left out where "
					+ "there is none",
					"BatchMetersTests#batchesHaveAllMetersAndConsumersOfTheApplicationThoseThatAreRead",
					"ThrottlingEndpointTests#showsBatchesWithTheirDeepestSlots")
			.row("`batches.*.running` | whether it has been started and not yet completed",
					"ThrottlingEndpointTests#showsBatchesWithTheirDeepestSlots")
			.row("`batches.*.waiting` | waiting items of all slots",
					"ThrottlingEndpointTests#showsBatchesWithTheirDeepestSlots")
			.row("`batches.*.inFlight` | batches that the listener is processing, or that wait to be retried",
					"ThrottlingEndpointTests#showsBatchesWithTheirDeepestSlots")
			.row("`batches.*.batches` | batches that completed",
					"ThrottlingEndpointTests#showsBatchesWithTheirDeepestSlots")
			.row("`batches.*.completed` | items in the batches that completed",
					"ThrottlingEndpointTests#showsBatchesWithTheirDeepestSlots")
			.row("`batches.*.failed` | items in batches that were given up",
					"ThrottlingEndpointTests#showsBatchesWithTheirDeepestSlots")
			.row("`batches.*.retries` | retries of batches that failed",
					"ThrottlingEndpointTests#showsBatchesWithTheirDeepestSlots")
			.row("`batches.*.rejected` | items rejected because their slot was full",
					"ThrottlingEndpointTests#showsBatchesWithTheirDeepestSlots")
			.row("`batches.*.dropped` | items dropped because their slot was full, or discarded at the end",
					"ThrottlingEndpointTests#showsBatchesWithTheirDeepestSlots")
			.row("`batches.*.callbackFailures` | exceptions thrown by its callbacks",
					"ThrottlingEndpointTests#showsBatchesWithTheirDeepestSlots")
			.row("`batches.*.deepest[].slot` | number of a slot with most waiting items",
					"ThrottlingEndpointTests#showsBatchesWithTheirDeepestSlots")
			.row("`batches.*.deepest[].waiting` | its waiting items",
					"ThrottlingEndpointTests#showsBatchesWithTheirDeepestSlots")
			.row("`batches.*.deepest[].inFlight` | its batches in flight",
					"ThrottlingEndpointTests#showsBatchesWithTheirDeepestSlots")
			.row("`cluster.state` | `up`; `silent` while messages of other nodes do not arrive, `unavailable` while "
					+ "the bus does not answer", "ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.nodes[].name` | name of a node that is known to live",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.nodes[].local` | whether it is this one",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.topics.count` | topics with members on this node",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.topics.members` | members of these on this node, added up",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.topics.largest[].name` | name of a topic with most members on this node",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.topics.largest[].members` | its members on this node",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.topics.largest[].waiting` | its messages that wait for their turn on this node; "
					+ "those that take one together are one", "ClusterSnapshotTests#tellsWhatWaitsAndHowFarATopicIs",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.topics.largest[].oldestWait` | seconds for which the oldest of these has waited",
					"ClusterSnapshotTests#tellsWhatWaitsAndHowFarATopicIs",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.topics.largest[].at` | position of its latest message that members on this node were sent; "
					+ "the same on all nodes that keep up", "ClusterSnapshotTests#tellsWhatWaitsAndHowFarATopicIs",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.waiting` | messages and requests of all nodes and topics that wait for their turn on this "
					+ "node", "ClusterSnapshotTests#tellsWhatWaitsAndHowFarATopicIs",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.oldestWait` | seconds for which the oldest of these has waited",
					"ClusterSnapshotTests#tellsWhatWaitsAndHowFarATopicIs",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.lag` | seconds until this node had heard what it published, the last time that this was "
					+ "measured; absent before", "ClusterSnapshotTests#theLagIsTheTimeUntilThisNodeHearsItself",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.openRequests` | requests and posts of this node that wait for other nodes",
					"ClusterSnapshotTests#aLostNodeMakesItsSessionsUnknown",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.sent` | messages that this node handed to the bus", "ClusterSnapshotTests#trafficIsCounted",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.received` | messages that arrived", "ClusterSnapshotTests#trafficIsCounted",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.failed` | calls of the bus that failed", "ClusterSnapshotTests#trafficIsCounted",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.unknown` | sessions of lost nodes of which nobody knows whether they were sent something",
					"ClusterSnapshotTests#aLostNodeMakesItsSessionsUnknown",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.heals` | times that missed messages of a topic were read from its history",
					"ClusterSnapshotTests#whatWasMissedOrLostIsCounted",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.gaps` | times that messages of a topic were lost, and its members on this node told of a "
					+ "gap", "ClusterSnapshotTests#whatWasMissedOrLostIsCounted",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.resume.resumable` | sessions of this node that may be [resumed](resume.md), "
					+ "with a connection or without", "ResumeTests#sessionsThatMayBeResumedAreCounted",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.resume.suspended` | sessions of these that have no connection",
					"ResumeTests#sessionsThatMayBeResumedAreCounted",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.resume.bytes` | bytes that are kept for their clients",
					"ResumeTests#sessionsThatMayBeResumedAreCounted",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.resume.outcomes.recovered` | attempts to resume after which nothing was missing",
					"ResumeTests#attemptsToResumeAreCountedByTheirOutcome",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.resume.outcomes.incomplete` | those after which something may have been "
					+ "missing, as the client was told", "ResumeTests#attemptsToResumeAreCountedByTheirOutcome",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.resume.outcomes.expired` | those for a session that was not there, any more or "
					+ "for this client", "ResumeTests#attemptsToResumeAreCountedByTheirOutcome",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.resume.outcomes.invalid` | those with something that was no token",
					"ResumeTests#attemptsToResumeAreCountedByTheirOutcome",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.resume.outcomes.superseded` | those of a session that was claimed again meanwhile",
					"ResumeTests#twoClaimsAtOnceLeaveOneConnection",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`cluster.resume.outcomes.unavailable` | those for which the bus could not be asked",
					"ResumeTests#attemptsToResumeAreCountedByTheirOutcome",
					"ThrottlingEndpointTests#showsTheClusterOnceSomebodyUsesIt")
			.row("`listenerFailures` | exceptions thrown by `ThrottleListener` beans",
					"SluiceMetricsAutoConfigurationTests#aListenerThatThrowsSilencesNoOtherAndIsCounted")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> meters() {
		return PageTable.of("operations.md", "meter | type")
			.row("`sluice.batch.callback.failures` | counter | `name` | failures | exceptions thrown by listeners or the "
					+ "error handler", "BatchMetricsTests#metersFollowTheConsumer")
			.row("`sluice.batch.in.flight` | gauge | `name` | batches | batches that the pump is processing, or that wait "
					+ "to be retried", "BatchMetricsTests#metersFollowTheConsumer")
			.row("`sluice.batch.items` | counter | `name`, `outcome` | items | items that have ended",
					"BatchMetricsTests#metersFollowTheConsumer")
			.row("`sluice.batch.pump` | timer | `name`, `outcome` | seconds | a call of the pump, until its stage ended",
					"BatchMetricsTests#metersFollowTheConsumer")
			.row("`sluice.batch.size` | summary | `name` | items | items in a batch",
					"BatchMetricsTests#metersFollowTheConsumer")
			.row("`sluice.batch.waiting` | gauge | `name` | items | items that wait for a batch",
					"BatchMetricsTests#metersFollowTheConsumer")
			.row("`sluice.cluster.failures` | counter |  | calls | calls of the bus that failed",
					"ClusterSnapshotTests#trafficIsCounted", "ClusterMetricsTests#metersFollowTheCluster")
			.row("`sluice.cluster.frames` | counter | `direction` | frames | messages between nodes, `sent` or "
					+ "`received`", "ClusterSnapshotTests#trafficIsCounted",
					"ClusterMetricsTests#metersFollowTheCluster")
			.row("`sluice.cluster.gaps` | counter |  | gaps | times that messages of a topic were lost, and its "
					+ "members told of a gap", "ClusterSnapshotTests#whatWasMissedOrLostIsCounted",
					"ClusterMetricsTests#metersFollowTheCluster")
			.row("`sluice.cluster.heals` | counter |  | heals | times that missed messages of a topic were read from "
					+ "its history", "ClusterSnapshotTests#whatWasMissedOrLostIsCounted",
					"ClusterMetricsTests#metersFollowTheCluster")
			.row("`sluice.cluster.lag` | timer |  | seconds | time until this node had heard what it published, of one "
					+ "publication at a time", "ClusterSnapshotTests#theLagIsTheTimeUntilThisNodeHearsItself",
					"ClusterMetricsTests#metersFollowTheCluster")
			.row("`sluice.cluster.members` | gauge |  | sessions | members of topics on this node",
					"ClusterSnapshotTests#tellsTheNodesAndTheTopicsOfThisNode",
					"ClusterMetricsTests#metersFollowTheCluster")
			.row("`sluice.cluster.nodes` | gauge |  | nodes | nodes that are known to live",
					"ClusterSnapshotTests#tellsTheNodesAndTheTopicsOfThisNode",
					"ClusterMetricsTests#metersFollowTheCluster")
			.row("`sluice.cluster.oldest.wait` | gauge |  | seconds | time for which the oldest waiting message or "
					+ "request has waited", "ClusterSnapshotTests#tellsWhatWaitsAndHowFarATopicIs",
					"ClusterMetricsTests#metersFollowTheCluster")
			.row("`sluice.cluster.requests.open` | gauge |  | requests | requests and posts that wait for other nodes",
					"ClusterSnapshotTests#aLostNodeMakesItsSessionsUnknown",
					"ClusterMetricsTests#metersFollowTheCluster")
			.row("`sluice.cluster.resumable` | gauge |  | sessions | sessions of this node that may be resumed",
					"ResumeTests#sessionsThatMayBeResumedAreCounted", "ClusterMetricsTests#metersFollowTheCluster")
			.row("`sluice.cluster.resume.bytes` | gauge |  | bytes | what this node keeps for clients "
					+ "that may come back", "ResumeTests#sessionsThatMayBeResumedAreCounted",
					"ClusterMetricsTests#metersFollowTheCluster")
			.row("`sluice.cluster.resumes` | counter | `outcome` | resumes | attempts of clients to "
					+ "resume a session: `recovered`, `incomplete`, `expired`, `invalid`, `superseded` or `unavailable`",
					"ResumeTests#attemptsToResumeAreCountedByTheirOutcome",
					"ClusterMetricsTests#metersFollowTheCluster")
			.row("`sluice.cluster.suspended` | gauge |  | sessions | sessions of this node that may be "
					+ "resumed and have no connection", "ResumeTests#sessionsThatMayBeResumedAreCounted",
					"ClusterMetricsTests#metersFollowTheCluster")
			.row("`sluice.cluster.topics` | gauge |  | topics | topics with members on this node",
					"ClusterSnapshotTests#tellsTheNodesAndTheTopicsOfThisNode",
					"ClusterMetricsTests#metersFollowTheCluster")
			.row("`sluice.cluster.unavailable` | gauge |  |  | 1 while this node does not hear the others; 0 otherwise",
					"ClusterSnapshotTests#theStateIsThatOfTheBus", "ClusterMetricsTests#metersFollowTheCluster")
			.row("`sluice.cluster.unknown` | counter |  | sessions | sessions of lost nodes of which nobody knows "
					+ "whether they were sent something", "ClusterSnapshotTests#aLostNodeMakesItsSessionsUnknown",
					"ClusterMetricsTests#metersFollowTheCluster")
			.row("`sluice.cluster.waiting` | gauge |  | messages | messages and requests of nodes that wait for their "
					+ "turn", "ClusterSnapshotTests#tellsWhatWaitsAndHowFarATopicIs",
					"ClusterMetricsTests#metersFollowTheCluster")
			.row("`sluice.execution.listener.failures` | counter | `name` | failures | exceptions thrown by listeners",
					"TimingTests#throwingListenerIsCountedAndAltersNothing",
					"ExecutionMetricsTests#snapshotsTellTheRest")
			.row("`sluice.execution.oldest.wait` | gauge | `name` | seconds | time for which the oldest waiting task has "
					+ "waited", "ExecutionMetricsTests#snapshotsTellTheRest",
					"ExecutionMetricsTests#whatNeverRanIsCountedButNotTimed")
			.row("`sluice.execution.queues` | gauge | `name` | queues | queues, including idle ones",
					"ExecutionMetricsTests#snapshotsTellTheRest",
					"ExecutionMetricsTests#whatNeverRanIsCountedButNotTimed")
			.row("`sluice.execution.run` | timer | `level`, `name`, `outcome` | seconds | time that tasks took, "
					+ "`completed` or `failed`", "ExecutionMetricsTests#timersTellWaitAndRunByLevel",
					"ExecutionMetricsTests#whatNeverRanIsCountedButNotTimed")
			.row("`sluice.execution.tasks` | counter | `name`, `outcome` | tasks | tasks that ended, by outcome",
					"ExecutionMetricsTests#snapshotsTellTheRest",
					"ExecutionMetricsTests#whatNeverRanIsCountedButNotTimed")
			.row("`sluice.execution.wait` | timer | `level`, `name` | seconds | time that tasks waited before they ran",
					"ExecutionMetricsTests#timersTellWaitAndRunByLevel",
					"ExecutionMetricsTests#whatNeverRanIsCountedButNotTimed")
			.row("`sluice.execution.waiting` | gauge | `level`, `name` | tasks | tasks that wait",
					"ExecutionMetricsTests#snapshotsTellTheRest",
					"ExecutionMetricsTests#whatNeverRanIsCountedButNotTimed")
			.row("`sluice.store.commands` | timer |  | seconds | time that Redis or PostgreSQL took to answer commands that "
					+ "a caller waited for", "SluiceRedisAutoConfigurationTests#storeIsMeteredAndPartOfTheHealth",
					"SluiceJdbcAutoConfigurationTests#storeIsMeteredAndPartOfTheHealth")
			.row("`sluice.store.decisions` | counter | `outcome`, `policy` | calls | calls decided without Redis or "
					+ "PostgreSQL: `admitted` or `rejected`, by `closed`, `open` or `local`",
					"SluiceRedisAutoConfigurationTests#storeIsMeteredAndPartOfTheHealth",
					"SluiceJdbcAutoConfigurationTests#storeIsMeteredAndPartOfTheHealth")
			.row("`sluice.store.failures` | counter |  | commands | commands that a caller waited for and that failed or "
					+ "timed out", "SluiceRedisAutoConfigurationTests#storeIsMeteredAndPartOfTheHealth",
					"SluiceJdbcAutoConfigurationTests#storeIsMeteredAndPartOfTheHealth")
			.row("`sluice.store.nodes` | gauge |  | nodes | nodes that share the limits",
					"SluiceRedisAutoConfigurationTests#storeIsMeteredAndPartOfTheHealth",
					"SluiceJdbcAutoConfigurationTests#storeIsMeteredAndPartOfTheHealth")
			.row("`sluice.store.unavailable` | gauge |  |  | 1 while Redis or PostgreSQL is unavailable and the failure "
					+ "policies decide; 0 otherwise",
					"SluiceRedisAutoConfigurationTests#storeIsMeteredAndPartOfTheHealth",
					"SluiceJdbcAutoConfigurationTests#storeIsMeteredAndPartOfTheHealth")
			.row("`sluice.throttle.calls` | counter | `outcome`, `resource` | calls | calls `admitted`, or rejected for "
					+ "the reason `limit`, `line`, `key-cap` or `store`",
					"ThrottleMetricsTests#callsAreCountedByResourceAndOutcome")
			.row("`sluice.throttle.held` | timer | `resource` | seconds | time for which permits of semaphores and "
					+ "mutexes were held", "ThrottleMetricsTests#timesInLineAndInHandAreTold")
			.row("`sluice.throttle.keys` | gauge | `resource` | keys | keys with state",
					"ThrottleMetricsTests#gaugesTellOfWhatIsNow")
			.row("`sluice.throttle.listener.failures` | counter |  | failures | exceptions thrown by `ThrottleListener` "
					+ "beans", "SluiceMetricsAutoConfigurationTests#aListenerThatThrowsSilencesNoOtherAndIsCounted")
			.row("`sluice.throttle.permits.held` | gauge | `resource` | permits | permits held",
					"ThrottleMetricsTests#gaugesTellOfWhatIsNow")
			.row("`sluice.throttle.wait` | timer | `outcome`, `resource` | seconds | time that calls waited for permits",
					"ThrottleMetricsTests#timesInLineAndInHandAreTold")
			.row("`sluice.throttle.waiting` | gauge | `resource` | calls | calls that wait",
					"ThrottleMetricsTests#gaugesTellOfWhatIsNow")
			.row("`sluice.throttle.workers.exhausted` | counter |  | calls | calls rejected because half of the workers "
					+ "were blocked by waiting calls",
					"SluiceMetricsAutoConfigurationTests#callsThatFoundTooManyWorkersBlockedAreCounted")
			.row("`sluice.websocket.sessions` | gauge |  | sessions | open sessions",
					"SluiceMetricsAutoConfigurationTests#limitsQueuesAndSessionsAreMetered")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> observations() {
		return PageTable.of("operations.md", "observation | span")
			.row("`sluice.message.handling` | handle {type} | `level`, `outcome`, `type` | `turn` | a client's message, "
					+ "from its arrival to the end of its handling",
					"ObservationsTests#thePageNamesEveryObservationWithItsKeysAndOutcomesAndNoOther",
					"ObservationsTests#aTraceShowsTheTimeInTheQueueAndInLine")
			.row("`sluice.message.sending` | send {type} | `level`, `outcome`, `type` | `turn` | a message to a client, "
					+ "from the call that sends it until the container has sent it",
					"ObservationsTests#thePageNamesEveryObservationWithItsKeysAndOutcomesAndNoOther",
					"ObservationsTests#aTraceShowsTheTimeInTheQueueAndInLine")
			.row("`sluice.throttle.line` | wait for {resource} | `outcome`, `resource` |  | a call that waits for a permit",
					"ObservationsTests#thePageNamesEveryObservationWithItsKeysAndOutcomesAndNoOther",
					"ObservationsTests#aTraceShowsTheTimeInTheQueueAndInLine")
			.row("`sluice.cluster.sending` | {action} in cluster | `action`, `outcome` |  | what a node asks of all nodes "
					+ "that it concerns, until all have answered, or until the bus has what is published",
					"ObservationsTests#thePageNamesEveryObservationWithItsKeysAndOutcomesAndNoOther",
					"ClusterTracesTests#aTraceGoesFromAHandlerToTheClientsOfAllNodes")
			.row("`sluice.cluster.receiving` | {action} on node | `action`, `outcome` |  | what a node does with its "
					+ "sessions for itself or another, until it is done",
					"ObservationsTests#thePageNamesEveryObservationWithItsKeysAndOutcomesAndNoOther",
					"ClusterTracesTests#aTraceGoesFromAHandlerToTheClientsOfAllNodes")
			.tests();
	}

}
