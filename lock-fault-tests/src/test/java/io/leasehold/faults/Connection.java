package io.leasehold.faults;

import io.leasehold.spi.LockBackend;

/**
 * What connects one process with a store.
 *
 * @param backend the backend
 * @param client closes what the backend does not own
 */
record Connection(LockBackend backend, Runnable client) implements AutoCloseable {

    Connection(LockBackend backend) {
        this(backend, () -> {});
    }

    @Override
    public void close() {
        backend.close();
        client.run();
    }
}
