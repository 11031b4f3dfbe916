package io.leasehold.faults;

import io.leasehold.spi.LockBackend;

/**
 * The connection of one process to a store.
 *
 * @param backend the backend
 * @param client closes the resources that the backend does not own
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
