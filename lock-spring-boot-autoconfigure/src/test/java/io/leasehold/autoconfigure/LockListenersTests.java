package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.leasehold.LockAttempt;
import io.leasehold.LockListener;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

/** How the application's listeners are found and called. */
class LockListenersTests {

    private final List<String> called = new ArrayList<>();

    private final StaticListableBeanFactory beans = new StaticListableBeanFactory();

    private final LockListeners listeners = new LockListeners(beans.getBeanProvider(LockListener.class));

    @Test
    void aListenerThatFailsKeepsNoOtherFromBeingCalled() {
        beans.addBean("failing", new Recorded("failing", new IllegalStateException("planted")));
        beans.addBean("unlinked", new Recorded("unlinked", new NoClassDefFoundError("planted")));
        beans.addBean("asserting", new Recorded("asserting", new AssertionError("planted")));
        beans.addBean("last", new Recorded("last", null));
        listeners.afterSingletonsInstantiated();
        listeners.asOne().acquireStarted(new Attempt("deploy", "service"));
        assertThat(called).containsExactly("failing service", "unlinked service", "asserting service", "last service");
    }

    @Test
    void anEventBeforeAllSingletonsExistFindsTheListeners() {
        beans.addBean("early", new Recorded("early", null));
        listeners.asOne().acquireStarted(new Attempt("deploy", "service"));
        assertThat(called).containsExactly("early service");
    }

    @Test
    void listenersAreLookedUpOnce() {
        listeners.afterSingletonsInstantiated();
        beans.addBean("late", new Recorded("late", null));
        listeners.asOne().acquireStarted(new Attempt("deploy", "service"));
        assertThat(called).isEmpty();
    }

    /** A service that takes a lock when it is initialised, and on which a listener depends. */
    @Test
    void aListenerWhoseBeanNeedsTheCallerIsNotCalled() {
        DefaultListableBeanFactory circular = new DefaultListableBeanFactory();
        circular.registerBeanDefinition("listener", new RootBeanDefinition(LockListener.class, () -> {
            throw new UnsatisfiedDependencyException(
                    "listener", "listener", "service", new BeanCurrentlyInCreationException("service"));
        }));
        LockListener all = new LockListeners(circular.getBeanProvider(LockListener.class)).asOne();
        assertThatNoException().isThrownBy(() -> all.acquireStarted(new Attempt("deploy", "service")));
    }

    private record Attempt(String locker, String key) implements LockAttempt {}

    private final class Recorded implements LockListener {

        private final String name;

        private final Throwable failure;

        private Recorded(String name, Throwable failure) {
            this.name = name;
            this.failure = failure;
        }

        @Override
        public void acquireStarted(LockAttempt attempt) {
            called.add(name + " " + attempt.key());
            if (failure instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            if (failure instanceof Error error) {
                throw error;
            }
        }
    }
}
