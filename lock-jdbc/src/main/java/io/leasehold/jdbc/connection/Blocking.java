package io.leasehold.jdbc.connection;

import io.leasehold.spi.BackendFailure;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Waits for operations at start-up. */
public final class Blocking {

    private Blocking() {}

    public static <T> T await(CompletionStage<T> stage) {
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
