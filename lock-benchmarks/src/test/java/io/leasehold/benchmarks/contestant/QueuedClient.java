package io.leasehold.benchmarks.contestant;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A client that cannot wait, behind a fair lock of the JVM for each key. At most one caller sends requests to the
 * store.
 */
final class QueuedClient implements LockClient {

    private final ConcurrentMap<String, ReentrantLock> lines = new ConcurrentHashMap<>();

    private final LockClient client;

    QueuedClient(LockClient client) {
        this.client = client;
    }

    @Override
    public Hold acquire(String key) throws Exception {
        ReentrantLock line = lines.computeIfAbsent(key, unused -> new ReentrantLock(true));
        line.lock();
        try {
            Hold hold = client.acquire(key);
            return () -> {
                try {
                    hold.release();
                } finally {
                    line.unlock();
                }
            };
        } catch (Exception ex) {
            line.unlock();
            throw ex;
        }
    }
}
