/**
 * Annotations that limit the calls of bean methods. Start at
 * {@link dev.sluice.annotation.Throttled}; {@link dev.sluice.aop.ThrottlingTemplate} does
 * the same in code.
 * <p>
 * What they promise, and the tests that fail when it is broken:
 * <ol>
 * <li>Every attribute has its effect: AnnotationAttributesTests.</li>
 * <li>A mistake stops the start; the message names bean, method, attribute and remedy:
 * ThrottledMethodVerifierTests, MethodExpressionTests. A warning at startup names methods
 * that nothing limits: UnreachableMethodsTests.</li>
 * <li>A call acquires its permits once, whoever makes it: ThrottledDoorsTests,
 * ThrottledMessagesTests, ThrottledStompTests, DispatchedCallTests.</li>
 * <li>It acquires those of all its limits or none, and releases what it held once, at its
 * end, however it ends: ThrottleAdvisorTests, StagedCallTests, ReactiveResultTests. An
 * owner may keep permits from call to call: OwnedPermitsTests.</li>
 * <li>Waiting holds a thread only where a plain result forces it to, and never more than
 * half of the workers; who gives up leaves the line: StagedCallTests,
 * ReactiveResultTests, WaitingMessagesTests, WhenThrottledTests, BlockedWorkersTests,
 * AsyncWaitsTests. A call that is tried again holds nothing at all, and there is a bound
 * on how many are: CallRetriesTests, WaitingGuideTests.</li>
 * <li>Expressions read what the call shows, and nothing else: MethodExpressionTests. Keys
 * are of any type, never null, and bounded: ThrottleAdvisorTests.</li>
 * <li>The order among the advice of Spring, and what it costs: AdviceOrderTests.</li>
 * <li>Precedence over and by properties: SluiceAnnotationsAutoConfigurationTests,
 * SluiceThrottlingAutoConfigurationTests.</li>
 * </ol>
 */
@NullMarked
package dev.sluice.annotation;

import org.jspecify.annotations.NullMarked;
