package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.leasehold.LockHandle;
import io.leasehold.annotation.DistributedLock;
import io.leasehold.aop.spec.LockDeclarationException.Kind;
import io.leasehold.aop.spec.LockSpecs;
import java.util.ArrayList;
import java.util.List;
import kotlin.coroutines.Continuation;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.reflect.MethodSignature;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

/** The door for woven classes, also in a JVM of its own with the real agent. */
class WovenDistributedLockAspectTests {

    @Test
    @Timeout(60)
    void wovenMethodsAreLockedOnceAlsoWhenTheirOwnObjectCallsThem() throws Exception {
        assertThat(WovenJvm.run(WovenStory.class, "woven"))
                .contains(
                        "early=true",
                        "self=[own-a]",
                        "joined=[a]",
                        "fence=true",
                        "handle=[h]",
                        "meta=[meta-m]",
                        "class=[c]",
                        "object=[]",
                        "later=[b]",
                        "back=[c]",
                        "held=0");
    }

    @Test
    void eachSubscriptionOfAWovenPublisherHasArgumentsOfItsOwn() throws Throwable {
        MethodSignature signature = mock(MethodSignature.class);
        when(signature.getMethod()).thenReturn(Work.class.getMethod("pay", String.class, LockHandle.class));
        ProceedingJoinPoint call = mock(ProceedingJoinPoint.class);
        when(call.getSignature()).thenReturn(signature);
        when(call.getThis()).thenReturn(new Work());
        when(call.getArgs()).thenReturn(new Object[] {"a", null});
        List<Object[]> passed = new ArrayList<>();
        when(call.proceed(any())).thenAnswer(body -> {
            passed.add(body.getArgument(0));
            return Mono.empty();
        });
        RecordingLockerRegistry registry = new RecordingLockerRegistry(new RecordingLocker("default"));
        WovenDistributedLockAspect woven = new WovenDistributedLockAspect();
        woven.addAspect(new DistributedLockAspect(new LockSpecs(text -> text), () -> registry));
        Mono<?> publisher = (Mono<?>) woven.around(call);
        publisher.block();
        publisher.block();
        assertThat(passed).hasSize(2);
        assertThat(passed.get(0)).isNotSameAs(passed.get(1));
    }

    @Test
    void aSuspendingFunctionOfAnObjectThatIsNoBeanIsRefused() throws Throwable {
        MethodSignature signature = mock(MethodSignature.class);
        when(signature.getMethod()).thenReturn(Work.class.getMethod("suspending", String.class, Continuation.class));
        ProceedingJoinPoint call = mock(ProceedingJoinPoint.class);
        when(call.getSignature()).thenReturn(signature);
        when(call.getThis()).thenReturn(new Work());
        when(call.getArgs()).thenReturn(new Object[] {"a", null});
        RecordingLocker locker = new RecordingLocker("default");
        WovenDistributedLockAspect woven = new WovenDistributedLockAspect();
        woven.addAspect(
                new DistributedLockAspect(new LockSpecs(text -> text), () -> new RecordingLockerRegistry(locker)));
        assertThatThrownBy(() -> woven.around(call))
                .satisfies(Refusals.ofKind(Kind.INTERCEPTION))
                .hasMessageContaining("Work.suspending(String, Continuation)");
    }

    static class Work {

        @DistributedLock("#p0")
        public Object suspending(String id, Continuation<? super String> continuation) {
            return id;
        }

        @DistributedLock("#p0")
        public Mono<String> pay(String id, LockHandle handle) {
            return Mono.just(id);
        }
    }
}
