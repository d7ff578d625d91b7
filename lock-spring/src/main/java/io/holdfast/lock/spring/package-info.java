/**
 * Locks by annotation, and a template, for Spring. All that is not public is one way through this package, from top to bottom:
 *
 * <ul>
 *   <li><b>Beans.</b> {@code LockedPostProcessor} puts {@code LockedInterceptor} around beans. {@code LockedMethods} knows which of
 *       their methods are locked, by what {@code LockPlans} makes of an annotation: a {@code LockPlan}, with its
 *       {@code KeyTemplate}s, its {@code Fallback} and its {@code ResultKind}.
 *   <li><b>Calls.</b> A {@code Work} is what one call wants and runs: that of an annotation is {@code AnnotatedWork}, and templates
 *       make their own. {@code BlockingCall}, {@code StageCall} and {@code ReactiveCall} run it; the latter two are
 *       {@code LaterCall}s.
 *   <li><b>Locks.</b> {@code Taking} leads from a {@code LockRequest} to a {@code Grip}, which is several {@code Holding}s: one that
 *       the call took, others that it joined. {@code Inside} is where they are found to be joined, and {@code Kept} where
 *       transactions keep them. {@code MinimumTime} is {@code atLeast}.
 *   <li><b>Transactions.</b> {@code TransactionLocks}, {@code ReactiveTransactions} and {@code CommitCheck}, loaded where spring-tx is.
 * </ul>
 */
@NullMarked
package io.holdfast.lock.spring;

import org.jspecify.annotations.NullMarked;
