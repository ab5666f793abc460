package dev.sluice.autoconfigure;

import java.util.stream.Stream;

import dev.sluice.autoconfigure.fixture.PageTable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The tables of {@code docs/migration.md}: each row names the tests that hold it, and
 * whoever changes a row has to look at them.
 */
class MigrationTablesTests {

	@TestFactory
	Stream<DynamicTest> whatPlainSpringNeeds() {
		return PageTable.of("migration.md", "there | here")
			.row("`ConcurrentWebSocketSessionDecorator` around each session | any number of threads may send to a "
					+ "session; messages never collide",
					"OrderedHandlersTests#repliesFromManyThreadsNeitherCollideNorLoseTheirOrder")
			.row("its send-time limit and buffer-size limit | `sluice.websocket.outbound.send-time-limit` and "
					+ "`sluice.websocket.outbound.buffer-size-limit`",
					"SessionLifeTests#aSessionThatIsCutOffIsToldTheStatus",
					"StarterPropertiesTests#clientThatDoesNotReadMissesTheOldestAndStays")
			.row("sizes of messages and the idle time-out, set by `ServletServerContainerFactoryBean`; sizes set by "
					+ "context parameters of Tomcat; sizes and the idle time-out set for `JettyRequestUpgradeStrategy` | the "
					+ "same, unless `sluice.websocket.max-message-size` or `sluice.websocket.idle-timeout` is set; the start "
					+ "logs which limits hold",
					"ContainerLimitsTests#whatTheApplicationHasSetHoldsUnlessAPropertySaysOtherwise",
					"JettyTests#theIdleTimeThatTheApplicationHasSetHoldsThoughThePingsAreAnswered",
					"SizesTests#ofTheContainer")
			.row("a map of sessions, filled in `afterConnectionEstablished` | the `WebSocketSessionManager` bean",
					"TypedSessionsTests#theManagerFindsSessionsOfEveryKindAndBroadcasts")
			.row("locks around the state of a session | nothing: its messages are handled one at a time, and each sees "
					+ "what the one before it wrote",
					"TypedSessionsTests#eachConnectionHasItsOwnObjectAndReadsItsRepliesInOrder")
			.row("a prototype bean, or attributes, for the state of a session | a class with `@WebSocketEndpoint`; one "
					+ "object is one connection",
					"TypedSessionsTests#eachConnectionHasItsOwnObjectAndReadsItsRepliesInOrder")
			.row("a thread pool of your own for slow handlers | a slow handler delays its own session only",
					"HandlerFairnessTests#aQuietClientIsAnsweredOnceEachWorkerMayHaveEndedAFewTasksOfTheFlood",
					"StompTests#aSlowMessageDelaysNoOtherSession")
			.row("`(StandardWebSocketSession) session` | `(StandardWebSocketSession) "
					+ "WebSocketSessionDecorator.unwrap(session)`",
					"NativeSessionsTests#theSessionThatIsUnwrappedIsTheContainersOne")
			.row("what one casts it for | `((NativeWebSocketSession) session).getNativeSession(Session.class)`",
					"NativeSessionsTests#whatCleaningUpReadsIsThereInLateMessagesAndAfterTheEnd")
			.row("`preserveReceiveOrder` and `setPreservePublishOrder` of STOMP | the messages of a session have an order "
					+ "both ways", "StompTests#askingForAnOrderThatIsKeptAlreadyIsToldOnceAndStillWorks")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> whatPlainSpringLetsRelyOn() {
		return PageTable.of("migration.md", "what you may rely on today | here")
			.row("a message is handled before the next one, or the close behind it, is seen | the same, but where a "
					+ "session is read ahead: with [levels](websocket.md#urgent-messages), and STOMP | ",
					"HandlerContractTests#everyMessageIsHandledAndAnsweredBeforeTheCloseBehindIt")
			.row("the messages of a STOMP session are read while one is handled, and handled in parallel | they are read "
					+ "ahead, up to `sluice.websocket.inbound.high-water-mark`, and handled one at a time; heartbeats and "
					+ "CONNECT pass | `sluice.websocket.stomp.enabled=false`, or an executor of your own for the channel",
					"StompTests#aSessionsMessagesAreHandledAndAnsweredInOrder",
					"StompTests#aHeartbeatIsSeenWhileASlowMessageIsHandled",
					"StompTests#anExecutorOfTheApplicationWinsAndIsToldOnceWhatIsLost")
			.row("a message that is handled may wait for another one of its STOMP session | it waits in vain, as in a "
					+ "handler of plain Spring: return a `CompletionStage`, or let the other message go on with the work | the "
					+ "same", "HabitsTests#aMessageWaitsInVainForTheNextOfItsSession",
					"HabitsTests#aMessageOfStompWaitsInVainToo")
			.row("what `afterConnectionEstablished` sets, such as `setTextMessageSizeLimit`, holds for the first message "
					+ "| the same; with SockJS on Jetty from the second message on | ", "SizesTests#ofASession")
			.row("`while (session.isOpen())` in a handler ends when a message cannot be sent to a client that has gone | "
					+ "the same, without an exception; until then it keeps one of the threads that handle messages | "
					+ "`sluice.execution.workers`, or virtual threads, for more of them",
					"HabitsTests#aLoopWhileASessionIsOpenEndsWhenItsClientHasGone")
			.row("`sendMessage` waits while the client does not keep up | the same, at "
					+ "`sluice.websocket.outbound.buffer-size-limit`; below it returns at once | ",
					"HandlerContractTests#aHandlerMaySendMuchMoreAtOnceThanMayWait")
			.row("a message may take 20 s to be written, or as long as Jetty's idle time-out | a client that takes longer "
					+ "for one message than 10 s is cut off, with 4500 | `sluice.websocket.outbound.send-time-limit=20s`",
					"PlainContainersTests#tomcatGivesAMessageTwentySecondsToBeWritten",
					"HabitsTests#aMessageMayTakeAsLongToWriteAsTheSendTimeLimitSays")
			.row("a `ConcurrentWebSocketSessionDecorator` of your own buffers, drops or closes by its limits | the same, "
					+ "once 512 KB wait in the session itself | `sluice.websocket.outbound.buffer-size-limit`",
					"DecoratorsTests#aLargeBufferKeepsAllForAClientThatReadsLater",
					"DecoratorsTests#aBufferThatDropsKeepsItsSessionOpen")
			.row("limits of STOMP from `configureWebSocketTransport` | the same; a client is cut off at the send buffer "
					+ "size if it takes nothing for two seconds | `sluice.websocket.outbound.buffer-size-limit` and "
					+ "`send-time-limit` replace them", "StompLimitsTests#theSendTimeLimitOfTheApplicationHolds",
					"StompLimitsTests#aClientThatTakesNothingIsCutOffAtTheSendBufferSizeOfTheApplication",
					"StompLimitsTests#propertiesComeBeforeWhatTheApplicationHasSet")
			.row("`sendMessage` throws where the client has gone | it does not while messages are handled that came "
					+ "before; `isOpen()` tells | ",
					"HandlerContractTests#aHandlerWhoseSessionIsReadAheadGoesOnToItsEndThoughTheClientHasClosed",
					"ClosedByContainerTests#whatTheClientSentBeforeItClosedIsHandledAlthoughNobodyHearsTheAnswers")
			.row("a client that answers no pings stays connected | it is cut off when it has been silent for 25 s and "
					+ "answers nothing for 10 s more | `sluice.websocket.heartbeat.interval=0`",
					"SessionLivenessTests#aClientThatDoesNotAnswerAPingIsCutOff",
					"SessionLivenessTests#whereThereAreNoPingsASilentClientStays")
			.row("Jetty ends a connection that is idle for 30 s, where nothing else is set | pings keep it open | "
					+ "`sluice.websocket.idle-timeout=30s`",
					"JettyTests#jettyEndsAConnectionThatIsIdleForThirtySeconds",
					"JettyTests#pingsKeepASessionOpenForLongerThanTheIdleTimeOfJetty")
			.row("a long-running handler keeps its client from sending more | the same; on Jetty and with SockJS it "
					+ "keeps a thread of the container too | ",
					"BackPressureTests#theClientIsSlowedAtItsSocketAndNothingIsLost",
					"JettyTests#aFloodIsSlowedByItsThreadAndNothingIsLost")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> whatResilience4jHas() {
		return PageTable.of("migration.md", "there | here", "## From Resilience4j")
			.row("`RateLimiter` with `limitForPeriod` and `limitRefreshPeriod` | `fixed-window` with `limit` and "
					+ "`period`, aligned to the clock",
					"RateLimitTests#fixedWindowAdmitsFourAtTheEndOfAnHourAndFourAtTheBeginningOfTheNext")
			.row("`timeoutDuration` | `@WhenThrottled(action = Action.WAIT, maxWait = \"5s\")`; first come first served, "
					+ "mostly without a thread", "WaitingGuideTests#holdsWhileItWaitsWhatThePageSays",
					"WhenThrottledTests#waitingCallBlocksUntilThePermitComes")
			.row("semaphore `Bulkhead` with `maxConcurrentCalls` | `semaphore` with `limit`, `@Semaphore`",
					"HeldTests#semaphoreAdmitsPermitsUpToItsLimit",
					"ThrottleAdvisorTests#semaphoreHoldsAsManyPermitsAsAskedFor")
			.row("`maxWaitDuration` | `maxWait` again", "WhenThrottledTests#whenTheTimeIsUpThenWaitingCallIsRejected")
			.row("`@RateLimiter(name = ...)`, one limiter for all callers | `@Throttled`, with a `key` one limit for each "
					+ "caller", "ThrottleAdvisorTests#whenLimitIsReachedThenCallIsRejected",
					"ThrottleAdvisorTests#eachKeyHasTheLimitForItself")
			.row("`fallbackMethod` | `@WhenThrottled(fallback = ...)`",
					"WhenThrottledTests#fallbackIsCalledInsteadWithTheSameArguments")
			.row("`RequestNotPermitted`, `BulkheadFullException` | `ThrottledException`, which has the limit, the key "
					+ "and when to retry", "ThrottleAdvisorTests#whenLimitIsReachedThenCallIsRejected")
			.row("`changeLimitForPeriod` | `ThrottlingManager.addOrUpdate`, or a request to the endpoint",
					"ChangeTests#raiseWakesTheLineOfARate", "OperationsTablesTests#requestsDoWhatTheTableSays")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> whatBucket4jHas() {
		return PageTable.of("migration.md", "there | here", "## From Bucket4j")
			.row("`Bandwidth` with `capacity` and `refillGreedy(tokens, period)` | `token-bucket` with `capacity`, "
					+ "`limit` and `period`", "RateLimitTests#tokenBucketStartsFullAndIsRefilledSteadily")
			.row("`refillIntervally` | `fixed-window`: windows of the clock, not of the first call",
					"RateLimitTests#fixedWindowAdmitsFourAtTheEndOfAnHourAndFourAtTheBeginningOfTheNext")
			.row("several bandwidths in one bucket | several throttles, and `ThrottlingManager.tryAcquire` of all, or "
					+ "several annotations", "SeveralLimitsTests#takesAllAndClosesAll",
					"ThrottleAdvisorTests#whenOneOfSeveralLimitsRejectsThenNoneIsCharged")
			.row("`tryConsume(n)` | `Throttle.tryAcquire(key, n)`", "SlidingLogTests#permitsOutOfRangeAreRejected",
					"RateLimitTests#tokenBucketStartsFullAndIsRefilledSteadily")
			.row("`ConsumptionProbe.getNanosToWaitForRefill()` | `Throttle.tryAcquireNanos(key, n)`, or "
					+ "`Decision.retryAfter()`", "SlidingLogTests#retryAfterIsTrueToTheNanosecond")
			.row("`ProxyManager` with a key for each caller | a key with each call; keys that fall idle leave by "
					+ "themselves", "KeyTests#idleKeysLeaveWhileOthersCall")
			.row("`replaceConfiguration` | `ThrottlingManager.addOrUpdate`; what was used stays used",
					"ChangeTests#changeNeverMintsPermits")
			.row("`addTokens` | there is none: what was granted stays granted",
					"ChangeTests#loweringAndRaisingAgainMintsNothing")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> whatHangfireHas() {
		return PageTable.of("migration.md", "there | here", "## From Hangfire.Throttling")
			.row("`IThrottlingManager` | `ThrottlingManager`", "LimitsGuideTests#decidesAtOnce")
			.row("`AddOrUpdateSemaphore`, `AddOrUpdateFixedWindow`, ... | `addOrUpdate(name, Limit)`",
					"LimitDefinitionTests#makesTheLimitOfItsType")
			.row("`[Mutex(\"order:{0}\")]` | `@Mutex(value = \"order\", key = \"#orderId\")`: the name and the key are "
					+ "two things", "ThrottleAdvisorTests#mutexIsHeldWhileTheMethodRuns",
					"ThrottleAdvisorTests#eachKeyHasTheLimitForItself")
			.row("`[Semaphore(\"reports\")]` | `@Semaphore(\"reports\")`",
					"ThrottleAdvisorTests#semaphoreHoldsAsManyPermitsAsAskedFor")
			.row("`[FixedWindow(\"github\")]`, `[SlidingWindow(\"dropbox\")]` | `@Throttled(\"github\")`; the kind is the "
					+ "`type` among the properties of the limit",
					"SluiceThrottlingAutoConfigurationTests#propertiesDefineLimitsOfEveryType")
			.row("`[DynamicWindow(\"newsletter\", \"tenant:{0}\")]` | `@Throttled(value = \"newsletter\", key = "
					+ "\"#tenantId\")`", "MigrationGuideTests#aLimitOfEachKeyIsASlidingWindowWithKeys")
			.row("`FixedWindowOptions(limit, interval)` | `fixed-window` with `limit` and `period`",
					"RateLimitTests#fixedWindowAdmitsFourAtTheEndOfAnHourAndFourAtTheBeginningOfTheNext")
			.row("`SlidingWindowOptions(limit, interval, buckets)` | `sliding-window` with `limit`, `period` and "
					+ "`buckets`; `sliding-log` for a limit that no window exceeds",
					"RateLimitTests#slidingWindowAdmitsFourAtTheEndOfAnHourAndNoneUntilTheirBucketHasLeft",
					"SlidingLogTests#admitsTheLimitAndRejectsTheNext")
			.row("`DynamicWindowOptions(limit, interval, buckets)`, so much for each key | `sliding-window`, or "
					+ "`fixed-window` where there is one bucket: each key has the `limit` for itself",
					"MigrationGuideTests#aLimitOfEachKeyIsASlidingWindowWithKeys")
			.row("`DynamicWindowOptions(capacity, limit, interval, buckets)` | `dynamic-window` with `capacity`, and "
					+ "`min-limit` and `max-limit` both as its limit",
					"MigrationGuideTests#aCapacityWithALimitIsADynamicWindowWhoseKeysAllGetThatLimit")
			.row("`DynamicWindowOptions(capacity, minLimit, maxLimit, interval, buckets)` | `dynamic-window` with "
					+ "`capacity`, `min-limit`, `max-limit`, `period` and `buckets`",
					"MigrationGuideTests#aCapacityWithALeastAndAMostIsADynamicWindow")
			.row("at most 1,000 windows of a dynamic window | `max-keys`: 1,000 of a dynamic window, 100,000 of the "
					+ "others unless set", "SluiceThrottlingAutoConfigurationTests#dynamicWindowHasItsDefaults",
					"SluiceThrottlingAutoConfigurationTests#optionsThatAreNotSetHaveTheDefaultsOfCode")
			.row("`ThrottlingAction.RetryJob` | `Action.WAIT`, in a waiting line, for as long as `maxWait` says",
					"WhenThrottledTests#waitingCallBlocksUntilThePermitComes",
					"WhenThrottledTests#whenTheTimeIsUpThenWaitingCallIsRejected")
			.row("`ThrottlingAction.DeleteJob` | `Action.DROP`",
					"WhenThrottledTests#droppedCallGivesTheEmptyValueOfItsType")
			.row("`Mode = Acquire`, `Release`, `AcquireAndRelease` | `mode = Mode.ACQUIRE`, `RELEASE`, "
					+ "`ACQUIRE_AND_RELEASE`, with an `owner`", "OwnedPermitsTests#oneMethodAcquiresAndAnotherReleases")
			.row("strict mode | `strict = true`: one acquisition over all attempts",
					"AdviceOrderTests#relaxedTakesAPermitAnAttemptAndStrictTakesOne")
			.row("the *Throttling* page of its dashboard | [`/actuator/throttling`](operations.md) and [a "
					+ "page](operations.md#the-page)", "OperationsTablesTests#requestsDoWhatTheTableSays",
					"DashboardTests#numbersMoveUnderLoad")
			.row("storage in SQL Server | [PostgreSQL](jdbc.md) or [Redis](redis.md); not SQL Server",
					"SluiceJdbcAutoConfigurationTests#applicationsShareTheirLimits",
					"SluiceJdbcAutoConfigurationTests#databaseThatIsNotPostgreSqlEndsTheStart")
			.row("its tables are created by `PrepareSchemaIfNecessary` | `sluice.store.jdbc.initialize-schema=always`, or a "
					+ "migration of the application",
					"SluiceJdbcAutoConfigurationTests#migrationOfTheApplicationCreatesThem")
			.row("a lock that ends with its connection to SQL Server | a lease, which its node renews: `lease`",
					"JdbcTablesTests#promises")
			.row("a lock that is released with the state of the job, in its transaction | `@Mutex` on a method with "
					+ "`@Transactional` is released after the commit",
					"AdviceOrderTests#relaxedIsInsideRetryAndOutsideCacheAndTransaction")
			.tests();
	}

}
