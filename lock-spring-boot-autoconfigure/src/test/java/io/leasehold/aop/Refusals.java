package io.leasehold.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.aop.spec.LockDeclarationException;
import io.leasehold.aop.spec.LockDeclarationException.Kind;
import java.util.function.Consumer;

/** What a test expects of a declaration that is refused. */
final class Refusals {

    private Refusals() {}

    static Consumer<Throwable> ofKind(Kind kind) {
        return failure -> assertThat(failure)
                .isInstanceOfSatisfying(
                        LockDeclarationException.class,
                        ex -> assertThat(ex.kind()).isEqualTo(kind));
    }

    static Consumer<Throwable> rootOfKind(Kind kind) {
        return failure -> assertThat(failure).rootCause().satisfies(ofKind(kind));
    }
}
