package io.leasehold.autoconfigure;

import java.util.List;

/** A store makes locks less safe than they could be, and that is configured to fail the start. */
final class UnsafeStoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<String> findings;

    UnsafeStoreException(List<String> findings) {
        super("locks are less safe than they could be, and 'lock.safety' says that this fails the start: " + findings);
        this.findings = findings;
    }

    List<String> findings() {
        return findings;
    }
}
