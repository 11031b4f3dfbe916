package io.leasehold.autoconfigure;

import io.leasehold.aop.DistributedLockAspect;
import io.leasehold.aop.WovenDistributedLockAspect;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.SmartLifecycle;

/**
 * Registers the aspect of this context with the only one of the class loader. Before the context has started, and while
 * it is stopped, the aspects of other contexts come first: its lockers may not be there, or have ended their locks.
 */
final class WovenAspectRegistration implements InitializingBean, SmartLifecycle, DisposableBean {

    private final WovenDistributedLockAspect woven;

    private final DistributedLockAspect aspect;

    private volatile boolean running;

    WovenAspectRegistration(WovenDistributedLockAspect woven, DistributedLockAspect aspect) {
        this.woven = woven;
        this.aspect = aspect;
    }

    @Override
    public void afterPropertiesSet() {
        woven.addStandby(aspect);
    }

    @Override
    public void start() {
        woven.addAspect(aspect);
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        woven.addStopped(aspect);
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Stops immediately before the locks end. */
    @Override
    public int getPhase() {
        return LockLifecycle.PHASE + 1;
    }

    @Override
    public void destroy() {
        woven.removeAspect(aspect);
    }
}
