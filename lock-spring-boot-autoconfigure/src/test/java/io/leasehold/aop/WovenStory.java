package io.leasehold.aop;

import io.leasehold.LockContext;
import io.leasehold.LockHandle;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.spec.LockSpecs;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import org.aspectj.lang.Aspects;

/** Run in a JVM of its own with AspectJ's agent by {@link WovenDistributedLockAspectTests}; prints what it sees. */
class WovenStory {

    private final RecordingLocker locker = new RecordingLocker("default");

    public static void main(String[] args) {
        new WovenStory().run();
    }

    private void run() {
        try {
            new WovenWork().outer("early");
            say("early", "ran without its lock");
        } catch (IllegalStateException ex) {
            say("early", ex.getMessage().contains("lock.aspect.mode"));
        }
        WovenDistributedLockAspect woven = Aspects.aspectOf(WovenDistributedLockAspect.class);
        woven.addAspect(aspect(locker));
        WovenWork work = new WovenWork();
        say("self", keys(() -> work.plain("a")));
        say("joined", keys(() -> work.outer("a")));
        say("handle", keys(() -> say("fence", isOfLastGrant(work.handle("h", null)))));
        say("meta", keys(() -> work.meta("m")));
        WovenClass type = new WovenClass();
        say("class", keys(() -> type.work("c")));
        say("object", keys(type::toString));
        RecordingLocker later = new RecordingLocker("default");
        DistributedLockAspect ofLaterContext = aspect(later);
        woven.addAspect(ofLaterContext);
        work.inner("b");
        say("later", later.requestedKeys());
        woven.removeAspect(ofLaterContext);
        say("back", keys(() -> work.inner("c")));
        say("held", locker.heldCount());
    }

    private static DistributedLockAspect aspect(RecordingLocker locker) {
        RecordingLockerRegistry registry = new RecordingLockerRegistry(locker);
        return new DistributedLockAspect(new LockSpecs(text -> text), () -> registry);
    }

    private List<String> keys(Runnable call) {
        locker.requests.clear();
        call.run();
        return locker.requestedKeys();
    }

    private boolean isOfLastGrant(long fencingToken) {
        return locker.granted.get(locker.granted.size() - 1).fencingToken() == fencingToken;
    }

    private static void say(String what, Object value) {
        System.out.println(what + "=" + value);
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock("'meta-' + #p0")
    @interface Meta {}

    static class WovenWork {

        void plain(String key) {
            own(key);
        }

        @DistributedLock("'own-' + #p0")
        private void own(String key) {
            LockContext.current().orElseThrow();
        }

        @DistributedLock("#p0")
        final void outer(String key) {
            inner(key);
        }

        @DistributedLock("#p0")
        void inner(String key) {}

        @DistributedLock("#p0")
        long handle(String key, LockHandle handle) {
            return handle.fencingToken();
        }

        @Meta
        void meta(String key) {}
    }

    @DistributedLock("#p0")
    static class WovenClass {

        public void work(String key) {
            helper(key);
        }

        void helper(String key) {}

        @Override
        public String toString() {
            return "text";
        }
    }
}
