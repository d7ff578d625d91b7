package io.holdfast.lock.netty.credentials;

import io.holdfast.lock.Credentials;
import io.holdfast.lock.CredentialsProvider;
import io.holdfast.lock.CredentialsUnavailableException;
import io.holdfast.lock.netty.guest.GuestCall;
import io.holdfast.lock.text.Printable;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One call to a user's provider: whatever that does, there is one answer at most. */
final class ProviderCall extends GuestCall {

    /** Whose call it is; hears on any thread. */
    interface Owner {

        void given(ProviderCall call, Credentials credentials, Optional<Duration> interval);

        void failed(ProviderCall call, String why);
    }

    /** More than any program needs; the causes of an exception may go round in a circle. */
    private static final int MOST_WRAPPINGS = 20;

    private final CredentialsProvider provider;
    private final Owner owner;
    private final AtomicBoolean answered = new AtomicBoolean();

    /** Which call it is, from 1. */
    final long number;

    final long beganNanos;

    ProviderCall(CredentialsProvider provider, long number, long beganNanos, Owner owner) {
        this.provider = provider;
        this.number = number;
        this.beganNanos = beganNanos;
        this.owner = owner;
    }

    @Override
    protected void failed(Throwable thrown) {
        answer(null, Optional.empty(), words(thrown));
    }

    @Override
    protected void call() {
        CompletionStage<Credentials> stage = provider.credentials();
        Optional<Duration> interval = provider.interval();
        if (stage == null || interval == null) {
            answer(null, Optional.empty(), "returned null");
            return;
        }
        stage.whenComplete((credentials, failure) -> {
            if (failure != null) {
                failed(failure);
            } else {
                answer(credentials, interval, "gave null");
            }
        });
    }

    private void answer(@Nullable Credentials credentials, Optional<Duration> interval, String otherwise) {
        if (!answered.compareAndSet(false, true)) {
            return;
        }
        if (credentials == null) {
            owner.failed(this, otherwise);
        } else {
            owner.given(this, credentials, interval);
        }
    }

    /** What may be shown: an exception's own words only where they are made for it. */
    private static String words(Throwable thrown) {
        Throwable cause = thrown;
        try {
            cause = unwrapped(thrown);
        } catch (Throwable hostile) {
            // An exception of the user's may throw when it is asked for its cause; the call has to be answered all the
            // same.
        }
        return "failed: "
                + (cause instanceof CredentialsUnavailableException made
                        ? Printable.message(made.getMessage())
                        : Printable.of(cause.getClass().getName()));
    }

    private static Throwable unwrapped(Throwable thrown) {
        Throwable cause = thrown;
        for (int i = 0; i < MOST_WRAPPINGS; i++) {
            Throwable inner = cause.getCause();
            if (inner == null || !(cause instanceof CompletionException || cause instanceof ExecutionException)) {
                break;
            }
            cause = inner;
        }
        return cause;
    }
}
