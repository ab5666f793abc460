/**
 * Annotations that limit the calls of bean methods. Start at
 * {@link dev.sluice.annotation.Throttled}; {@link dev.sluice.aop.ThrottlingTemplate} does
 * the same in code.
 * <p>
 * Guarantees, and the tests that verify them:
 * <ol>
 * <li>Every attribute has its effect: AnnotationAttributesTests.</li>
 * <li>A mistake stops the start; the message contains bean, method, attribute and remedy:
 * ThrottledMethodVerifierTests, MethodExpressionTests. A warning at startup lists methods
 * with annotations that have no effect: UnreachableMethodsTests.</li>
 * <li>A call acquires its permits once, regardless of how it is dispatched:
 * ThrottledDoorsTests, ThrottledMessagesTests, ThrottledStompTests,
 * DispatchedCallTests.</li>
 * <li>A call acquires the permits of all its limits or of none. It releases its held
 * permits once, when it ends, whatever the outcome: ThrottleAdvisorTests,
 * StagedCallTests, ReactiveResultTests. An owner may keep permits from call to call:
 * OwnedPermitsTests.</li>
 * <li>A waiting call holds a thread only if a plain result requires it, and waiting calls
 * never hold more than half of the workers. A call that is cancelled leaves the line:
 * StagedCallTests, ReactiveResultTests, WaitingMessagesTests, WhenThrottledTests,
 * BlockedWorkersTests, AsyncWaitsTests. A call that waits for a retry holds nothing, and
 * the number of such calls is bounded: CallRetriesTests, WaitingGuideTests.</li>
 * <li>Expressions can read the variables of the call only: MethodExpressionTests. Keys
 * are of any type, never null, and bounded: ThrottleAdvisorTests.</li>
 * <li>The order within Spring's advice, and its consequences: AdviceOrderTests.</li>
 * <li>Precedence over and by properties: SluiceAnnotationsAutoConfigurationTests,
 * SluiceThrottlingAutoConfigurationTests.</li>
 * </ol>
 */
@NullMarked
package dev.sluice.annotation;

import org.jspecify.annotations.NullMarked;
