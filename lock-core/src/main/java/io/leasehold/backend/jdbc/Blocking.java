package io.leasehold.backend.jdbc;

import io.leasehold.spi.BackendFailure;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Waits for an operation, for those who start up. */
final class Blocking {

    private Blocking() {}

    static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException ex) {
            if (ex.getCause() instanceof BackendFailure failure) {
                throw failure;
            }
            throw ex;
        }
    }
}
