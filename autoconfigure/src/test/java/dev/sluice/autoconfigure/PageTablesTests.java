package dev.sluice.autoconfigure;

import java.util.stream.Stream;

import dev.sluice.autoconfigure.fixture.PageTable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The tables of the pages that tell how something behaves: each row names the tests that
 * hold it, and whoever changes a row has to look at them.
 */
class PageTablesTests {

	@TestFactory
	Stream<DynamicTest> rejectedCallsOfMethods() {
		return PageTable.of("annotations.md", "action | a call that finds no permit")
			.row("`REJECT` | throws a `ThrottledException`, which has the limit, the key and, where it is known, when "
					+ "to retry; a method that returns a `CompletionStage` or `Future` returns one that has failed with it",
					"ThrottleAdvisorTests#whenLimitIsReachedThenCallIsRejected",
					"StagedCallTests#whenRejectedThenTheMethodIsNotCalled",
					"ThrottlingTemplateTests#asynchronousCallThatIsRejectedFails")
			.row("`WAIT` | waits in line, and is rejected as soon as it is clear that its time will not suffice",
					"WhenThrottledTests#waitingCallBlocksUntilThePermitComes",
					"WhenThrottledTests#whenTheTimeIsUpThenWaitingCallIsRejected",
					"LineTests#waitThatCannotSufficeFailsAtOnce")
			.row("`RETRY` | is tried again later, and rejected when its last attempt is",
					"CallRetriesTests#callIsTriedAgainAfterItsDelayAndWithoutAPlaceInLine",
					"CallRetriesTests#callIsRejectedAfterItsLastAttempt")
			.row("`DROP` | is left out: the caller gets an empty `Optional`, collection, `Mono` or `Flux`, a completed "
					+ "stage, or `null`", "WhenThrottledTests#droppedCallGivesTheEmptyValueOfItsType",
					"ReactiveResultTests#droppedCallGivesNothing")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> asynchronousMethodsThatWait() {
		return PageTable.of("annotations.md", "when | then")
			.row("the call is rejected, now or after its wait | the executor runs what stands in for it: the fallback, or "
					+ "the `ThrottledException`, which fails the `Future` or goes to the `AsyncUncaughtExceptionHandler`",
					"AsyncWaitsTests#callThatIsRejectedFailsAsAnyAsynchronousCallThatFails",
					"AsyncWaitsTests#callThatIsRejectedAfterItsLastAttemptFails")
			.row("the executor rejects the call | its permits are released; its `Future` fails with the "
					+ "`TaskRejectedException`, which is thrown instead if the call did not wait, and logged if the method "
					+ "returns nothing", "AsyncWaitsTests#executorThatRejectsACallAtOnceThrowsAndReleasesThePermit",
					"AsyncWaitsTests#executorThatRejectsACallThatWaitedFailsItsResultAndReleasesThePermit")
			.row("its `Future` is cancelled, or completed by others | it leaves the line, or is not made when its thread "
					+ "comes, and its permits are released; a call that runs is interrupted if its `Future` is no "
					+ "`CompletableFuture`", "AsyncWaitsTests#callThatIsCancelledInLineLeavesIt",
					"AsyncWaitsTests#callThatIsCancelledWhileItWaitsForAThreadReleasesItsPermit",
					"AsyncWaitsTests#callWhoseResultIsCompletedWhileItWaitsForAThreadIsNotMade",
					"AsyncWaitsTests#cancellationOfARunningCallInterruptsOnlyIfItMay")
			.row("a further attempt of a `@Retryable` method that is not `strict` finds no permit | that attempt waits on "
					+ "the thread of the first with `WAIT`, and is rejected with `RETRY`",
					"AsyncWaitsTests#retriedCallTakesTheLimitAsOftenAsOnAnyOtherMethod")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> rejectionsInWebFlux() {
		return PageTable.of("annotations.md", "in an application with WebFlux | a rejection")
			.row("the controller itself has a handler for all exceptions | goes to that handler; put one for "
					+ "`ThrottledException` beside it",
					"SluiceWebFluxAutoConfigurationTests#handlerOfAllExceptionsOfAControllerComesFirst")
			.row("an advice handles all exceptions, and another one rejections, but not those of this controller | goes to "
					+ "the handler for all exceptions",
					"SluiceWebFluxAutoConfigurationTests#handlerOfAllExceptionsComesFirstWhereTheOneForRejectionsIsForOtherControllers")
			.row("an advice handles all exceptions, and none rejections | is answered with 429 also as the cause of another "
					+ "exception",
					"SluiceWebFluxAutoConfigurationTests#withAHandlerOfAllExceptionsSoIsWhatARejectionCaused",
					"SluiceWebFluxAutoConfigurationTests#withoutAHandlerOfAllExceptionsTheApplicationHandlesWhatARejectionCaused")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> permitsOfAsynchronousResults() {
		return PageTable.of("annotations.md", "the method returns | its permits are held until")
			.row("`CompletionStage`, `CompletableFuture` | the stage has ended",
					"StagedCallTests#permitIsHeldUntilTheStageHasEnded",
					"StagedCallTests#futureThatIsAStageHoldsThePermitUntilItEnds")
			.row("`Mono`, `Flux` | the last signal, or the cancellation, of each subscription",
					"ReactiveResultTests#eachSubscriptionIsACall",
					"ReactiveResultTests#fluxHoldsItsPermitUntilItsLastSignal",
					"ReactiveResultTests#whenCancelledThenPermitIsGivenBack")
			.row("from a `suspend` function of Kotlin | the function completes, fails or is cancelled "
					+ "([Kotlin](howto/kotlin.md))", "SuspendFunctionTests#semaphoreLetsTwoOfSixRunAtOnce",
					"SuspendFunctionTests#failureReleases", "SuspendFunctionTests#cancellationWhileHoldingReleases")
			.row("`Flow` of Kotlin | the end, or the cancellation, of each collection",
					"SuspendFunctionTests#flowHoldsFromItsCollectionToItsEnd",
					"SuspendFunctionTests#flowWhoseCollectorIsCancelledReleases")
			.row("from a handler method of Spring MVC: `Callable`, `WebAsyncTask`, `StreamingResponseBody`, also in a "
					+ "`ResponseEntity` | it has returned; if it never begins, the end of the request",
					"AsyncRequestsTests#permitIsHeldUntilTheResultHasEnded",
					"RequestResultTests#callableThatHasNotBegunIsEndedByItsRequestAndDoesNotBegin",
					"AsyncRequestsTests#callableThatGoesOnAfterItsRequestTimedOutHoldsItsPermit")
			.row("from a handler method of Spring MVC: `DeferredResult`, `SseEmitter`, `ResponseBodyEmitter`, other "
					+ "reactive types, a `ServerResponse` | it is complete or has failed, the request has timed out, or the "
					+ "server has noticed that the client is gone",
					"AsyncRequestsTests#permitIsHeldUntilTheResultHasEnded",
					"AsyncRequestsTests#whenTheResultFailsThenThePermitIsReleased",
					"AsyncRequestsTests#whenTheRequestTimesOutThenThePermitIsReleased",
					"AsyncRequestsTests#whenTheClientHasGoneThenThePermitIsReleased")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> methodsThatTakeBatches() {
		return PageTable.of("batches.md", "it returns | a batch has ended when")
			.row("nothing | the method returns, or throws | a thread of the batch",
					"BatchesTests#aMethodThatBlocksInOneSlotHoldsUpNoOther", "BatchesTests#aBatchThatIsGivenUpIsLogged")
			.row("a `CompletionStage` | the stage ends, normally or not | no thread, if the method does not",
					"BatchesGuideTests#aMethodMayReturnAStageAndAskForTheSlot",
					"FailureTests#anErrorAMissingStageAndAFailedStageAreFailuresLikeAnyOther")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> itemsOfBatches() {
		return PageTable.of("batches.md", "the future | when")
			.row("completes | its batch has been dealt with", "BatchTests#theFutureOfAnItemEndsWithItsBatch")
			.row("fails with the exception of the method or its stage | its batch was given up",
					"FailureTests#aPumpThatThrowsFailsTheFuturesAndTellsTheErrorHandler",
					"FailureTests#aBatchIsGivenUpWhenItsRetriesAreUsedUp")
			.row("fails with `SlotFullException` | its slot had `max-waiting` items, and `overflow` is `reject`, or "
					+ "`block` and no place came free in a second",
					"OverflowTests#aFullSlotRejectsAndTakesAgainWhenABatchHasGone",
					"OverflowTests#aPusherThatWaitedInVainIsRejected")
			.row("fails with `ItemDroppedException` | its slot was full and `overflow` is `drop-oldest` or `drop-newest`; "
					+ "or the application is stopping", "OverflowTests#theOldestIsDroppedForTheNewest",
					"OverflowTests#theNewestIsDropped",
					"LifecycleTests#discardingFailsWhatWaitsAndLetsWhatIsInFlightEnd")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> doorsOfSessions() {
		return PageTable.of("concepts.md", "door | what you write")
			.row("typed | a class for each kind of client, one object for each connection | "
					+ "[WebSocket](websocket.md#typed-sessions)", "WebSocketGuideTests#aTypedSessionAnswers")
			.row("raw | a `WebSocketHandler`, registered the ordinary way | [WebSocket](websocket.md#handlers-of-your-own)",
					"WebSocketGuideTests#aHandlerIsLimited")
			.row("STOMP | `@MessageMapping` methods, as always | [STOMP](stomp.md)",
					"StompGuideTests#aControllerAnswersInOrderAndIsLimited")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> kindsOfLimits() {
		return PageTable.of("limits.md", "type | grants, exactly")
			.row("`sliding-log` | at most `limit` in *any* window of `period`; admits whenever fewer lie in it | the "
					+ "times in the window, as it is used", "SlidingLogTests#retryAfterIsTrueToTheNanosecond",
					"SlidingLogTests#admitsTheLimitAndRejectsTheNext", "RateOracleTests#decidesAsTheModelDoes")
			.row("`fixed-window` | at most `limit` in each window of the clock (UTC) | two numbers",
					"RateLimitTests#fixedWindowAdmitsFourAtTheEndOfAnHourAndFourAtTheBeginningOfTheNext")
			.row("`sliding-window` | at most `limit` in any `buckets` consecutive buckets | a count for each bucket",
					"RateLimitTests#slidingWindowAdmitsFourAtTheEndOfAnHourAndNoneUntilTheirBucketHasLeft")
			.row("`dynamic-window` | over all keys at most `capacity` in a window, shared out again as keys come and go | "
					+ "as a sliding window", "DynamicWindowTests#capacityIsSharedOutAgainAsKeysCome",
					"DynamicWindowTests#decidesAsTheModelDoes")
			.row("`token-bucket` | at most `capacity + limit * t / period` in any time `t`; refilled steadily | one number",
					"RateLimitTests#tokenBucketStartsFullAndIsRefilledSteadily",
					"RateLimitTests#tokenBucketIsNeverAboveItsRateAndLessThanAMillionthBelow")
			.row("`semaphore` | at most `limit` held at once | its holders",
					"HeldTests#semaphoreAdmitsPermitsUpToItsLimit")
			.row("`mutex` | one held at once | its holder", "HeldTests#mutexAdmitsOneUntilItIsClosed")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> hintsForNativeImages() {
		return PageTable.of("native.md", "what needs reflection | is registered")
			.row("methods with `@OnMessage` | the method, the type of its message and of its result for JSON; of a sealed "
					+ "type all that it permits; what a `CompletionStage` or `Optional` holds",
					"HintsTests#aMethodItsMessagesItsResultsAndItsKeyAreKnown")
			.row("methods with `@Throttled`, `@Semaphore`, `@Mutex` | the method, and the types whose properties and "
					+ "methods its expressions read, as far as the declared types tell",
					"LimitedMethodReflectiveProcessorTests#whatAnExpressionReadsIsKnownByTheNamesOfParameters",
					"LimitedMethodReflectiveProcessorTests#whatTheArgumentsOfAMethodReadIsKnown")
			.row("`@WhenThrottled` with a `fallback` | the method, where it is one of the same class",
					"LimitedMethodReflectiveProcessorTests#theFallbackIsKnownAndOtherMethodsAreNot")
			.row("methods with `@BatchListener` | the method", "BatchesTests#aNativeImageMayCallTheMethod")
			.row("the endpoint, its page, the scripts of Redis, the tables and functions in PostgreSQL | what they answer, "
					+ "and their resources", "RuntimeHintsTests#aNativeImageCanWriteEveryPartOfAnAnswer",
					"SluiceRedisAutoConfigurationTests#nativeImageHasEveryScript",
					"SluiceJdbcAutoConfigurationTests#nativeImageHasTheTablesAndFunctions")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> permitsTakenAhead() {
		return PageTable.of("redis.md", "| over the limit, at most")
			.row("fixed, sliding and dynamic window | nothing | a permit is used in the bucket it was counted in, or not "
					+ "at all", "PermitPrefetchTests#whatWasTakenInOneWindowIsNotUsedInTheNext",
					"PermitPrefetchTests#noWindowHasMoreThanIsStated")
			.row("sliding log, token bucket | *n* x (`batch` - 1) in any window, and no more than is granted in 100 ms | "
					+ "what was taken just before a window may be used in it",
					"PermitPrefetchTests#noWindowHasMoreThanIsStated")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> policiesWhileRedisIsAway() {
		return PageTable.of("redis.md", "policy | while Redis is unavailable")
			.row("`closed` | calls are rejected with the reason `STORE`, `retryAfter` one second | holds",
					"FailoverTests#closedLimitRejectsAndCountsWhatItRejects",
					"RedisFaultTests#whileTheServerIsAwayCallsAreRejectedAndThenTheyAreAdmittedAgain")
			.row("`open` | calls are admitted, of a mutex or semaphore too: everybody is in at once | is none",
					"FailoverTests#openLimitAdmitsAndCountsWhatItAdmits",
					"FailoverTests#openMutexLetsEverybodyInWithoutATokenAndIsAMutexAgain")
			.row("`local` | each node grants its share, in its memory: each number of the limit divided by the nodes, "
					+ "rounded down, but at least 1; what is more is rejected with `STORE` | holds over all nodes, unless "
					+ "there are more nodes than permits; a mutex is one on each node",
					"FailoverTests#localLimitIsDividedByTheNodesThatLive",
					"LocalShareTests#everyNumberThatGrantsIsDivided", "LocalShareTests#atLeastOnePermitIsLeft",
					"FailoverTests#localMutexIsOneOnEachNodeAndKeepsALine")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> eventsOfRedis() {
		return PageTable.of("redis.md", "what happens | what calls see")
			.row("Redis cannot be connected to, or the connection is lost | the policy, at once | connect again, trying five "
					+ "times a second; what has no answer is not sent again, but undone",
					"RedisOutageTests#serverIsKilledAndStartedAgain",
					"RedisFaultTests#callThatIsUnderWayEndsWhenTheConnectionIsLost",
					"RedisLostAnswerTests#grantOfACallThatWasNotHeardIsUndone")
			.row("a connection to a master of a cluster is lost | the policy, when the time is over | the client connects "
					+ "again and may send again what has no answer: permits of a rate may be counted twice then, those of a "
					+ "mutex or semaphore never",
					"RedisResentCommandTests#grantIsCountedOnceIfItIsHeardAndOtherwiseNotAtAll",
					"RedisClusterTests#keysAreLimitedWhereverTheyAre")
			.row("it does not answer within `timeout` | the policy, then; and at once when it counts as unavailable | what is "
					+ "granted too late, or on a connection that is lost, is given back: Redis keeps which call it was, and is "
					+ "asked to undo it until it has, for a lease at most",
					"FailoverTests#callsWaitForASlowServerNoLongerOnceThatIsKnown",
					"RedisConcurrencyTests#whatIsGrantedTooLateIsGivenBack",
					"RedisLostAnswerTests#callThatIsRunAfterItsConnectionWasGivenUpIsUndone")
			.row("Redis answers, but cannot be used: full, loading its data, busy with a script, without the replicas it "
					+ "needs | the policy, then; and at once when it counts as unavailable | ask until it can",
					"RedisConnectionsTests#serverThatCannotWriteIsAwayUntilItCan",
					"RedisReplicaTests#replicaThatIsAwayCountsAsRedisBeingAwayUntilItIsBack")
			.row("it is full: `maxmemory` is reached and nothing is evicted | as above; permits are still released, returned and "
					+ "renewed | ask until it is not",
					"RedisHalfDoneTests#permitsAreReleasedAndRenewedByAServerWithoutMemory",
					"RedisConnectionsTests#serverThatCannotWriteIsAwayUntilItCan")
			.row("the Redis user may no longer publish to the channels | decisions as before | repeat the notification of a grant "
					+ "until it is published, for a lease at most; a waiter whose notification is missing is found when its "
					+ "node polls, three times a lease",
					"RedisUnpublishedTests#grantThatIsNotPublishedIsPublishedLater",
					"RedisHalfDoneTests#grantThatCannotBePublishedIsHeld")
			.row("the server has become a replica | as when the connection is lost | connect again, with sentinels to the new "
					+ "master", "RedisConnectionsTests#serverThatHasBecomeAReplicaIsLeft",
					"RedisSentinelTests#masterThatDiesIsReplaced")
			.row("it has lost its data | start from nothing used; who waits for a rate goes to the end of the line, who "
					+ "waits for a permit of a mutex or semaphore is rejected with `STORE`, or goes by the policy | define "
					+ "their limits again, within ten seconds; ask three times a lease for those who wait",
					"RedisFaultTests#limitThatTheServerHasForgottenIsDefinedAgain",
					"RedisFaultTests#whoWaitsForARateIsInLineAgainWhenTheServerHasForgottenIt",
					"RedisConcurrencyTests#whoWaitsIsRejectedWhenTheServerHasForgottenTheLine")
			.row("Redis is unavailable when a node starts | the node starts; calls go by the policy | define the limits when Redis "
					+ "is there", "RedisFaultTests#nodeThatStartsWithoutAServerWorksOnceThereIsOne")
			.row("a limit is changed meanwhile | the change fails with an `IllegalStateException` | keep the limit as it "
					+ "was; a change that was sent before may still be made when Redis is back, but not in place of a newer one",
					"RedisKeysTests#changeThatComesTooLateReplacesNoNewerOne",
					"RedisFaultTests#whileTheServerIsAwayCallsAreRejectedAndThenTheyAreAdmittedAgain")
			.row("an owner's permits are released, or a key is forgotten | what was granted here without Redis is released "
					+ "or forgotten; otherwise it fails with an `IllegalStateException` | ",
					"FailoverTests#whatIsHeldAndUsedHereIsLetGoTogetherWithWhatIsInRedis",
					"FailoverTests#whatCannotBeToldToRedisFails")
			.row("`closed`: calls wait in line | they wait on, up to their `maxWait` | ask again three times a lease; who "
					+ "waits keeps the place if Redis is back within a lease, and otherwise loses it as if Redis had lost its "
					+ "data", "FailoverTests#callInLineOfAClosedLimitWaitsOn")
			.row("`open`: calls wait in line | they are admitted | leave the line in Redis",
					"FailoverTests#whoWaitsForAPermitInRedisGoesByThePolicyWhenItIsAway")
			.row("`local`: calls wait in line | they wait in a line here, for the rest of their `maxWait`; they are "
					+ "rejected if that cannot suffice here | leave the line in Redis",
					"FailoverTests#whoWaitsForAPermitInRedisGoesByThePolicyWhenItIsAway",
					"FailoverTests#waitThatDoesNotSufficeHereEndsInARejection")
			.row("permits are held meanwhile | `onLost` when a lease has passed | renew them if Redis is back before",
					"RedisConcurrencyTests#holderIsToldWhenItsLeaseHasEnded",
					"RedisConcurrencyTests#permitIsRenewedWhileItIsHeld")
			.row("a permit is closed meanwhile | nothing: `close` never blocks | it is free as soon as there is a "
					+ "connection again, or when its lease has ended; a node remembers 10,000 of them at most",
					"RedisLostAnswerTests#permitThatIsClosedWhileThereIsNoConnectionIsFreeWhenThereIsOne",
					"PendingReleasesTests#releasesThatCannotBeToldAreBounded")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> whenRedisIsBack() {
		return PageTable.of("redis.md", "what | becomes")
			.row("calls that wait in a line here | go to the end of the line in Redis, in their order, for the rest of "
					+ "their `maxWait`", "FailoverTests#whoWaitsHereWaitsInRedisWhenItIsBack")
			.row("permits of a mutex or semaphore that the node granted | are valid until they are closed, but Redis "
					+ "does not know of them: until then more may be held than the limit, by what these are",
					"FailoverTests#localMutexIsOneOnEachNodeAndKeepsALine")
			.row("permits of a rate that the node granted | is not told to Redis: within one period as much may be granted as the "
					+ "limit and the shares", "FailoverTests#localLimitIsDividedByTheNodesThatLive")
			.row("permits that Redis granted before | counts there as before, but did not count here: as much more may be "
					+ "granted when it goes", "FailoverTests#localLimitIsDividedByTheNodesThatLive")
			.row("counts | are added up in Redis", "FailoverTests#openLimitAdmitsAndCountsWhatItAdmits",
					"FailoverTests#closedLimitRejectsAndCountsWhatItRejects")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> rejectedMessagesOfStomp() {
		return PageTable.of("stomp.md", "value | a rejected message")
			.row("`user-queue` | is answered at `/user/queue/errors` of its session, in the order of the messages, and "
					+ "the connection lives on",
					"ThrottledStompTests#aRejectedMessageIsAnsweredInOrderAtTheUsersErrorQueueAndTheConnectionLives")
			.row("`error-frame` | is answered with an ERROR frame, after which the connection is closed, as STOMP demands",
					"ThrottledStompTests#anErrorFrameEndsTheConnectionWhereTheApplicationAsksForIt")
			.row("`none` | is dropped", "ThrottledStompTests#aMessageThatIsDroppedIsAnsweredWithNothing")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> headersOfStompThatComesBack() {
		return PageTable.of("stomp.md", "frame | header")
			.row("MESSAGE | `position` | its place among the messages; opaque. Not there where it has none, as in a reply to "
					+ "one session",
					"StompResumeContract#whatWasMissedFollowsTheReceiptAndWhatIsNewFollowsThatAtAnyNode",
					"StompResumeContract#aUserGetsWhatWasMissedAndNobodyElseDoes")
			.row("MESSAGE | `replayed:true` | the message was missed",
					"StompResumeContract#whatWasMissedFollowsTheReceiptAndWhatIsNewFollowsThatAtAnyNode")
			.row("SUBSCRIBE | `position` | the latest that the client knows",
					"StompResumeContract#whoHasMissedNothingGoesOn",
					"StompResumeContract#nothingIsMissingOrDoubledHoweverOftenAClientComesBack")
			.row("SUBSCRIBE | `receipt` | asks for the RECEIPT, without which nobody tells the client what is missing",
					"StompResumeContract#whatIsNotThereAnyMoreIsNotRecovered",
					"StompResumeContract#whoAsksForNothingSeesPlainStomp")
			.row("RECEIPT | `position` | where the subscription goes on; not there where this node cannot tell",
					"StompResumeContract#whoHasMissedNothingGoesOn", "StompResumeContract#aPatternIsNotRecovered")
			.row("RECEIPT | `recovered` | for a SUBSCRIBE with a position. `true`: what was missed follows, in order, and "
					+ "then what is new, without a gap and without a double. `false`: some is missing before the "
					+ "`position` of this frame: load the state anew; what comes after it follows",
					"StompResumeContract#whatWasMissedFollowsTheReceiptAndWhatIsNewFollowsThatAtAnyNode",
					"StompResumeContract#whatIsNotThereAnyMoreIsNotRecovered",
					"StompResumeContract#whatIsMoreThanIsKeptForOneClientIsNotRecovered")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> handlersThatAreNotTouched() {
		return PageTable.of("websocket.md", "not touched | because")
			.row("`@ServerEndpoint` and other endpoints of Jakarta WebSocket | the container calls them, not Spring; when "
					+ "the application stops they are closed with 1001, as are handlers that are left alone",
					"ServerEndpointsTests#aStopIsToldToTheirClients")
			.row("subclasses of `WebSocketHttpRequestHandler` or `SockJsHttpRequestHandler` that override `handleRequest` "
					+ "| they serve their requests themselves", "HandlerMappingsTests#itIsLeftAlone")
			.row("`<websocket:message-broker>` in XML | STOMP is ordered where `@EnableWebSocketMessageBroker` configures "
					+ "it", "XmlBrokerTests#itsMessagesAreHandledByItsOwnThreads")
			.row("`WebSocketClient`, and WebFlux's `WebSocketHandler` | they are no servlet's",
					"HandlerMappingsTests#aClientOfTheApplicationIsLeftAlone")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> containers() {
		return PageTable.of("websocket.md", "| Tomcat | Jetty")
			.row("supported with | Spring Boot's own starter | Spring Boot's `spring-boot-starter-jetty`, in place of "
					+ "Tomcat's", "JettyTests#aStopIsToldToAllClients", "SessionLifeTests#anIdleSessionIsClosed")
			.row("a client that sends more than is handled | is not read, and nobody waits | keeps a thread of Jetty "
					+ "waiting, as each message does while its handler runs",
					"BackPressureTests#theClientIsSlowedAtItsSocketAndNothingIsLost",
					"JettyTests#aFloodIsSlowedByItsThreadAndNothingIsLost")
			.row("a client that does not read | holds no thread | holds no thread",
					"StalledClientsTests#theOthersAreAnsweredWhileTheStalledOnesStallAndThoseEnd",
					"JettyTests#aClientThatDoesNotReadIsCutOff")
			.row("the container's buffers for messages | have 1 KB until a message is larger or comes in parts; those "
					+ "of Tomcat with STOMP and SockJS, and where an application has a `RequestUpgradeStrategy` or "
					+ "`HandshakeHandler` of its own that may see the parts | are those of Jetty",
					"MessageBuffersTests#theBuffersAreSmallBeforeTheFirstMessageAndTheSizesThoseOfTheApplication",
					"MessageBuffersTests#theBuffersAreThoseOfTheApplicationBehindALargerMessage",
					"MessageBuffersTests#sizesThatTheApplicationSetsHold",
					"MessageBuffersTests#decoratorsOfTheApplicationSeeTheMessagesOfTheClientOnlyAndInTheirSize",
					"MessageBuffersTests#aHandlerThatTakesPartsGetsThemInTheSizeOfTheContainer")
			.row("messages in parts, or above the container's buffer | are put together here | are put together by Jetty, "
					+ "up to the same size; what has come counts for no total, and `sluice.websocket.message-time-limit` does "
					+ "not hold", "OrderedHandlersTests#aMessageLargerThanTheContainersBufferArrivesWhole",
					"MessagePartsTests#aMessageThatIsNotCompleteInTimeEndsItsSession",
					"JettyTests#messagesMayBeAsLargeAsTheLimitSays")
			.row("a message that is too large | 1009 | 1009, with a reason of Jetty's",
					"StarterPropertiesTests#messageThatIsTooLargeClosesTheSession")
			.row("pings of clients, the answer to a close | are written in their turn | are written by Jetty, each ping "
					+ "is answered",
					"ControlFramesTests#theLatestOfThePingsThatComeWhileAMessageIsSentIsAnsweredBehindIt",
					"ControlFramesTests#aPingIsAnsweredWithItsPayload")
			.row("a client that pings and does not read | is cut off after the send time limit | is cut off when the next "
					+ "ping of the server is not sent within that limit; over SockJS, by Jetty's idle time-out",
					"ControlFramesTests#aClientThatPingsAndNeverReadsIsCutOffInTimeAndKeepsNoThread",
					"ControlFramesTests#aClientOfSockJsThatPingsAndNeverReadsIsCutOffInTimeAndKeepsNoThread")
			.row("their largest size, if `sluice.websocket.max-message-size` is not set | what is set by "
					+ "`ServletServerContainerFactoryBean` or the context parameters "
					+ "`org.apache.tomcat.websocket.textBufferSize` and `binaryBufferSize`, or 64 KB in the place of Tomcat's "
					+ "8 KB | what is set for `JettyRequestUpgradeStrategy`, which Spring takes by default, or by "
					+ "`ServletServerContainerFactoryBean` for `StandardWebSocketUpgradeStrategy`",
					"ContainerLimitsTests#whatTheApplicationHasSetHoldsUnlessAPropertySaysOtherwise",
					"ContainerLimitsTests#parametersOfTheServletContextHold",
					"ContainerLimitsTests#whatNobodyHasSetIsOurs", "SizesTests#ofTheContainer")
			.row("handlers that take messages in parts | get them in parts | get whole messages, but for "
					+ "`StandardWebSocketUpgradeStrategy`, as in plain Spring", "SizesTests#ofMessagesInParts")
			.row("a client that is cut off, or does not answer a close | is gone at once, or after 30 s | is gone at "
					+ "once, or after Jetty's idle time-out",
					"SessionLifeTests#anAbortedSessionDoesNotWaitForItsClientToAgree")
			.row("text that is no UTF-8 | 1007 | 1007", "JettyTests#textThatIsNoTextEndsWithItsOwnCode",
					"FramesTests#whatComesBackFromTomcat")
			.row("the native session | a `jakarta.websocket.Session` | an `org.eclipse.jetty.websocket.api.Session`",
					"NativeSessionsTests#theSessionThatIsUnwrappedIsTheContainersOne")
			.row("a client that disconnects before the asynchronous result of its HTTP request | ends the request with the next write | "
					+ "ends it with the time-out of the request (`spring.mvc.async.request-timeout`); its permits are held "
					+ "until then", "AsyncRequestsTests#whenTheClientHasGoneThenThePermitIsReleased",
					"AsyncRequestsTests#whenTheRequestTimesOutThenThePermitIsReleased")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> optionsOfLimits() {
		return PageTable.of("configuration.md", "option | default", "## Limits")
			.row("`type` | `sliding-log` | kind of the limit: `sliding-log`, `fixed-window`, `sliding-window`, "
					+ "`dynamic-window`, `token-bucket`, `semaphore` or `mutex`",
					"SluiceThrottlingAutoConfigurationTests#propertiesDefineLimitsOfEveryType")
			.row("`limit` |  | how much it grants: in each period, or at once to holders of a semaphore",
					"SluiceThrottlingAutoConfigurationTests#propertiesDefineLimitsOfEveryType")
			.row("`period` |  | what the limit is counted over",
					"SluiceThrottlingAutoConfigurationTests#propertiesDefineLimitsOfEveryType")
			.row("`buckets` |  | into how many buckets a sliding or dynamic window divides its period",
					"SluiceThrottlingAutoConfigurationTests#propertiesDefineLimitsOfEveryType")
			.row("`capacity` |  | what a token bucket holds, its limit unless set; what a dynamic window grants to all "
					+ "keys together", "LimitDefinitionTests#tokenBucketHoldsItsLimitUnlessToldOtherwise")
			.row("`min-limit` |  | the least that each key of a dynamic window may get; 1 unless set",
					"LimitDefinitionTests#keyOfADynamicWindowGetsFromOneToAllUnlessToldOtherwise")
			.row("`max-limit` |  | the most that one key of a dynamic window may get; the capacity unless set",
					"LimitDefinitionTests#keyOfADynamicWindowGetsFromOneToAllUnlessToldOtherwise")
			.row("`dry-run` | `false` | whether it counts only and rejects nothing",
					"ChangeTests#dryRunCountsAndRejectsNothing")
			.row("`max-keys` |  | most keys to remember; 100,000 unless set, 1,000 for a dynamic window",
					"SluiceThrottlingAutoConfigurationTests#dynamicWindowHasItsDefaults",
					"SluiceThrottlingAutoConfigurationTests#optionsThatAreNotSetHaveTheDefaultsOfCode")
			.row("`at-max-keys` | `evict-idle` | what happens to a new key then: `evict-idle` or `reject-new-keys`; a key "
					+ "in use is never evicted", "KeyTests#newKeyIsRejectedWhileAllAreBusyAndAdmittedWhenOneIsIdle",
					"KeyTests#newKeyIsRejectedUntilAnIdleOneHasLeft", "KeyTests#busyKeyIsNeverForgotten")
			.row("`max-waiting` | `10000` | most calls that may wait in line, for one key", "LineTests#fullLineRejects")
			.row("`failure-policy` |  | what happens while Redis or PostgreSQL is unavailable: `closed`, `open` or `local`; "
					+ "`sluice.store.redis.failure-policy` or `sluice.store.jdbc.failure-policy` unless set; unused in memory",
					"SluiceRedisAutoConfigurationTests#failurePolicyIsThatOfTheStoreUnlessTheLimitHasOne",
					"SluiceJdbcAutoConfigurationTests#failurePolicyIsThatOfTheStoreUnlessTheLimitHasOne")
			.row("`lease` |  | of a semaphore or mutex in Redis or PostgreSQL: how long a permit lasts when nothing is heard of "
					+ "its node; `sluice.store.redis.lease` or `sluice.store.jdbc.lease` unless set; unused in memory",
					"RedisConcurrencyTests#leaseOfALimitComesBeforeThatOfTheStore")
			.row("`batch` |  | of a rate in Redis: how many permits a node may take at once; 1 is exact; "
					+ "`sluice.store.redis.batch` unless set; unused in memory",
					"SluiceRedisAutoConfigurationTests#nodeTakesPermitsInBatches")
			.row("`status` |  | status of the response to a request that it rejects, such as 409, 423 or 503 for a mutex; "
					+ "429 unless set", "SluiceWebMvcAutoConfigurationTests#statusOfALimitIsThatOfItsProperty",
					"SluiceWebMvcAutoConfigurationTests#throttledRequestIsAnsweredWith429")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> optionsOfBatches() {
		return PageTable.of("configuration.md", "option | default", "## Batches")
			.row("`slots` | `1` | number of slots; a batch holds items of one slot only",
					"BatchesTests#everyOptionHasItsEffect", "BatchTests#aBatchHoldsItemsOfOneSlotOnly")
			.row("`batch-size` | `100` | the most items in a batch", "BatchesTests#everyOptionHasItsEffect")
			.row("`push-interval` | `1s` | the longest that an item waits for its batch to fill",
					"BatchesTests#everyOptionHasItsEffect")
			.row("`max-concurrency` | `1` | the most batches of a slot in flight at once, those that wait to be retried "
					+ "included", "BatchesTests#everyOptionHasItsEffect",
					"FanOutTests#noMoreBatchesOfASlotAreInFlightThanAllowedAndTheyStartInOrder")
			.row("`max-waiting` | `100000` | the most items of a slot that wait for a batch",
					"BatchesTests#everyOptionHasItsEffect", "OverflowTests#theBoundIsExactWhateverTheNumberOfPushers")
			.row("`overflow` | `reject` | what happens to an item that finds its slot full: `reject`, `drop-oldest`, "
					+ "`drop-newest` or `block`", "BatchesTests#everyOptionHasItsEffect")
			.row("`retries` | `0` | how often a batch that failed is given to its listener again, after 100 ms to 10 s",
					"BatchesTests#everyOptionHasItsEffect", "FailureTests#backOffsDoubleUpToTheLongest")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> recordsOfTheJournal() {
		return PageTable.of("websocket.md", "of a record | is")
			.row("`sessionId` | the session's id",
					"SentMessageRecorderTests#aMessageIsRecordedWhenItWasSentWithItsSizeLevelAndTimes")
			.row("`user` | the name of its principal, over STOMP that of CONNECT; `null` for an anonymous one",
					"JournalledMessagesTests#theUserOfTheHandshakeOfARawSession",
					"JournalledMessagesTests#theDestinationOfStompMessagesAndTheUserOfConnect")
			.row("`type` | of what is written as JSON: the value of its type property where it has one by the session or "
					+ "as a map, such as `receipt` for the record `Receipt` of a sealed interface, or `throttled`; elsewhere "
					+ "the decapitalised simple name of its class; `null` for texts, bytes, STOMP and handlers of your own",
					"JournalledMessagesTests#theTypeOfMessagesOfTypedSessions")
			.row("`destination` | the destination of a STOMP message",
					"JournalledMessagesTests#theDestinationOfStompMessagesAndTheUserOfConnect")
			.row("`level`, `size` | the level at which it was queued, and the bytes of its payload, which is not kept",
					"SentMessageRecorderTests#aMessageIsRecordedWhenItWasSentWithItsSizeLevelAndTimes")
			.row("`queuedAt`, `sentAt` | when it was queued, and when the container had sent it or it failed",
					"SentMessageRecorderTests#aMessageIsRecordedWhenItWasSentWithItsSizeLevelAndTimes")
			.row("`outcome` | `SENT` or `FAILED`",
					"SentMessageRecorderTests#whatFailsOrIsRejectedIsRecordedAsFailedAndControlFramesAreNotRecorded")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> outcomesOfObservations() {
		return PageTable.of("operations.md", "of a | outcome")
			.row("message | `completed` | it was handled, or sent",
					"ObservationsTests#theOutcomeOfAMessageIsThatOfItsFailure")
			.row("message | `throttled` | a limit rejected it",
					"ObservationsTests#theOutcomeOfAMessageIsThatOfItsFailure")
			.row("message | `invalid` | it could not be read, or nothing was for it",
					"ObservationsTests#theOutcomeOfAMessageIsThatOfItsFailure")
			.row("message | `rejected` | it found no place, or was dropped; an error",
					"ObservationsTests#theOutcomeOfAMessageIsThatOfItsFailure")
			.row("message | `closed` | its session ended before",
					"ObservationsTests#theOutcomeOfAMessageIsThatOfItsFailure")
			.row("message | `failed` | its handling or sending failed; an error",
					"ObservationsTests#theOutcomeOfAMessageIsThatOfItsFailure")
			.row("wait | `admitted` | the call was admitted", "ObservationsTests#theOutcomeOfAWaitIsThatOfItsFailure")
			.row("wait | `rejected` | its time was over", "ObservationsTests#theOutcomeOfAWaitIsThatOfItsFailure")
			.row("wait | `left` | the caller gave up, such as a session that ended",
					"ObservationsTests#theOutcomeOfAWaitIsThatOfItsFailure")
			.row("wait | `failed` | the limits could not be asked; an error",
					"ObservationsTests#theOutcomeOfAWaitIsThatOfItsFailure")
			.row("node | `completed` | it was done, or the bus has what was published",
					"ObservedClusterTests#whatIsAskedForIsObservedOnBothNodes",
					"ObservedClusterTests#aPublicationIsObservedWhereItsTopicHasMembers")
			.row("node | `unanswered` | a node was lost before it answered",
					"ObservationsTests#theOutcomeOfWhatANodeAsksForIsThatOfAllNodes",
					"ObservedClusterTests#aNodeThatDoesNotAnswerIsToldOf")
			.row("node | `failed` | it could not be done; an error",
					"ObservationsTests#theOutcomeOfWhatANodeAsksForIsThatOfAllNodes",
					"ObservedClusterTests#whatFailsEndsWithTheReason")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> callsOfTheCluster() {
		return PageTable.of("cluster.md", "call | ends when")
			.row("`find(query)` | all nodes have answered, with at most 1,000 sessions each, and how many there are",
					"SessionClusterTests#nodesAnswerWithABoundedNumberOfSessionsAndTellHowManyThereAre")
			.row("`send(query, message)`, `post(query, message)` | the message was sent, or has failed, at every session; "
					+ "as `send` and `post` of a session",
					"SessionClusterTests#aMessageIsSentWhenItIsWrittenToTheSocket",
					"SessionClusterTests#aSessionThatClosesBeforeTheMessageIsWrittenFails")
			.row("`close(query, status)` | the sessions have ended", "SessionClusterTests#sessionsAreClosedAnywhere")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> callsWhileTheBusIsUnavailable() {
		return PageTable.of("cluster.md", "what | while the bus is unavailable")
			.row("sessions of this node | live, and are handled; what is sent to one of them by id is sent",
					"RedisUnavailableClusterTests#sessionsLiveAndMembersGetWhatTheirNodePublishesAndAGapWhenRedisIsBack",
					"SessionClusterTests#whatIsNotHandedOverFails")
			.row("`find`, `send`, `post` and `close` of others | fail with a `BusUnavailableException`, which tells whether "
					+ "something may have been done; what was handed over before is unknown",
					"SessionClusterTests#whatIsNotHandedOverFails",
					"SessionClusterTests#aNodeThatIsCutOffDoesNotSayThatWhatItHandedOverIsNowhere",
					"SessionClusterTests#aNodeThatIsLostAfterTheHandOverIsUnknown")
			.row("`publish` to a topic, `failure-policy=closed` | fails with a `BusUnavailableException`",
					"SessionClusterTests#whatIsNotHandedOverFails",
					"TopicTests#aPublicationThatCannotBeRepeatedIsUndecided")
			.row("`publish` to a topic, `failure-policy=local` | members of this node get it, without a position, and a "
					+ "`gap` when the bus is back; fails where this node has none",
					"RedisUnavailableClusterTests#sessionsLiveAndMembersGetWhatTheirNodePublishesAndAGapWhenRedisIsBack",
					"LocalPublicationTests#membersOfTheNodeGetWhatItPublishesWithoutAPosition",
					"LocalPublicationTests#aGapFollowsOnceTheBusIsBackThoughNothingElseIsPublished",
					"LocalPublicationTests#whereTheNodeHasNoMemberAPublicationIsRejected")
			.row("`post` to a topic | fails with a `BusUnavailableException`",
					"RedisUnavailableClusterTests#sessionsLiveAndMembersGetWhatTheirNodePublishesAndAGapWhenRedisIsBack",
					"LocalPublicationTests#whatAwaitsReceiptsOfAllNodesIsRejected")
			.row("`join` | fails; a session whose endpoint has topics is closed with 1013",
					"TopicTests#aJoinThatFailsTakesNoPlace", "EndpointTopicsTests#aSessionThatCannotJoinIsClosed")
			.row("`sluice.websocket.max-sessions-per-principal` | each node counts its own sessions",
					"PrincipalPlacesTests#withoutTheBusTheLimitIsThatOfTheNodeUntilItIsBack")
			.row("the health | is down", "SluiceHealthIndicatorTests#downWhileTheNodeDoesNotHearTheOthers")
			.row("the bus is back | the node joins its topics again, and its members get what they have missed, or a `gap`",
					"RedisUnavailableClusterTests#sessionsLiveAndMembersGetWhatTheirNodePublishesAndAGapWhenRedisIsBack",
					"TopicTests#anInterruptionIsHealedLaterWhereTheBusIsUnavailable")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> reportsOfTheCluster() {
		return PageTable.of("cluster.md", "field | is")
			.row("`sent` | sessions whose socket the message was written to",
					"SessionClusterTests#aMessageIsSentWhenItIsWrittenToTheSocket")
			.row("`failed`, `failures` | sessions that did not get it and never will, and for which reasons",
					"SessionClusterTests#aSessionThatIsNotThereFails", "SessionClusterTests#whatIsNotHandedOverFails")
			.row("`unknown`, `silentNodes` | sessions whose nodes were lost after the hand-over: it may have been sent, "
					+ "or may still be", "SessionClusterTests#aNodeThatIsLostAfterTheHandOverIsUnknown",
					"SessionClusterTests#aNodeThatNeverAnswersIsUnknownOnce")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> messagesOfStompOfAllNodes() {
		return PageTable.of("cluster.md", "sent by | reaches")
			.row("`convertAndSend`, `@SendTo`, SEND of a client | the subscribers on all nodes",
					"ClusteredStompTests#whatTheApplicationSendsReachesSubscribersOfAllNodesOnce",
					"ClusteredStompTests#whatAMethodReturnsReachesSubscribersOfAllNodesOnce",
					"ClusteredStompTests#whatAClientSendsReachesSubscribersOfAllNodesOnce")
			.row("`convertAndSendToUser`, `@SendToUser`, SEND of a client to `/user/<name>/…` "
					+ "| all sessions of the user, on whichever nodes",
					"ClusteredStompTests#aUserGetsEverythingInTheSessionsOfAllNodesAndNobodyElseDoes",
					"ClusteredStompTests#aUserIsReachedFromANodeWithoutASessionOfTheUser")
			.row("a message for the id of a session, as user or as header | that session, on whichever node",
					"ClusteredStompTests#aSessionIsReachedByItsIdFromAnyNode")
			.row("`@SubscribeMapping`, `@SendToUser(broadcast = false)` | the session that has asked, without the bus",
					"ClusteredStompTests#aReplyToOneSessionStaysThere")
			.tests();
	}

	@TestFactory
	Stream<DynamicTest> attributesOfAnnotations() {
		return PageTable.of("annotations.md", "annotation | attribute")
			.row("`@Throttled` | `value` |  | name of the limit",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@Throttled` | `key` |  | expression for the partition; none is one limit over all calls",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@Throttled` | `permits` | `1` | expression for what one call takes; 0 is always admitted",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@Throttled` | `type` | `SLIDING_LOG` | kind of a limit that is defined here",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@Throttled` | `limit` |  | permits in a period, unless properties define the limit",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@Throttled` | `period` |  | time in which the limit is granted, such as `1s`",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@Throttled` | `buckets` |  | buckets in the period, for windows that slide",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@Throttled` | `capacity` |  | what a token bucket holds, or a dynamic window grants to all keys",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@Throttled` | `minLimit` |  | the least that each key of a dynamic window gets",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@Throttled` | `maxLimit` |  | the most that one key of a dynamic window gets",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@Semaphore` | `value` |  | name of the semaphore",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@Semaphore` | `key` |  | expression for the partition",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@Semaphore` | `permits` | `1` | expression for what one call holds",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@Semaphore` | `limit` |  | permits that may be held at once, unless properties define the semaphore",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@Semaphore` | `mode` | `ACQUIRE_AND_RELEASE` | which half of holding the method does",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@Semaphore` | `owner` |  | expression for who holds; none is the call itself",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@Semaphore` | `requireHeld` | `false` | whether a call that releases is rejected if its owner holds "
					+ "nothing", "AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@Mutex` | `value` |  | name of the mutex, which needs no definition",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@Mutex` | `key` |  | expression for what is exclusive",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@Mutex` | `mode` | `ACQUIRE_AND_RELEASE` | which half of holding the method does",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@Mutex` | `owner` |  | expression for who holds; none is the call itself",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@Mutex` | `requireHeld` | `false` | whether a call that releases is rejected if its owner holds nothing",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@WhenThrottled` | `action` | `DEFAULT` | what happens to the call: `REJECT`, `WAIT`, `RETRY` or "
					+ "`DROP`; `DEFAULT` is `sluice.annotations.default-action`",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@WhenThrottled` | `maxWait` |  | how long it may wait; `sluice.annotations.max-wait` unless set",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@WhenThrottled` | `delay` |  | the least time before a call is tried again; one second unless set",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@WhenThrottled` | `maxRetries` |  | how often a call is tried again at most; 3 times unless set",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@WhenThrottled` | `strict` | `false` | whether all attempts of a `@Retryable` method are one call",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.row("`@WhenThrottled` | `fallback` |  | method that is called instead of throwing",
					"AnnotationAttributesTests#everyAttributeHasItsEffect")
			.tests();
	}

}
