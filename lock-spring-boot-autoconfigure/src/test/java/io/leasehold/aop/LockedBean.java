package io.leasehold.aop;

import io.leasehold.aop.invocation.CallerContext;
import io.leasehold.aop.spec.LockSpecs;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.aop.framework.ProxyFactory;

/** An object behind the real advisor and aspect, over fake lockers and a clock that the test moves. */
final class LockedBean<T> {

    private final AtomicLong nanoTime = new AtomicLong();

    private final RecordingLocker defaultLocker = new RecordingLocker("default");

    private final RecordingLocker billingLocker = new RecordingLocker("billing");

    private final T proxy;

    @SuppressWarnings("unchecked")
    private LockedBean(T target, CallerContext context) {
        RecordingLockerRegistry registry = new RecordingLockerRegistry(defaultLocker, billingLocker);
        DistributedLockAspect aspect = new DistributedLockAspect(
                new LockSpecs(text -> text), () -> registry, context, List::of, nanoTime::get);
        DistributedLockAdvisor advisor = new DistributedLockAdvisor("", DistributedLockAdvisor.DEFAULT_ORDER);
        advisor.setAdvice(aspect);
        ProxyFactory factory = new ProxyFactory(target);
        factory.setProxyTargetClass(true);
        factory.addAdvisor(advisor);
        this.proxy = (T) factory.getProxy();
    }

    static <T> LockedBean<T> of(T target) {
        return of(target, CallerContext.DEFAULT);
    }

    static <T> LockedBean<T> of(T target, CallerContext context) {
        return new LockedBean<>(target, context);
    }

    T proxy() {
        return proxy;
    }

    RecordingLocker locker() {
        return defaultLocker;
    }

    RecordingLocker locker(String name) {
        return name.equals("billing") ? billingLocker : defaultLocker;
    }

    void advance(Duration time) {
        nanoTime.addAndGet(time.toNanos());
    }
}
