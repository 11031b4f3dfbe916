package io.leasehold.redis;

import io.leasehold.spi.RenewAnswer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Reads the replies of renewals, and puts those of several batches together: one that failed spoils only its own. */
final class RenewReplies {

    private RenewReplies() {}

    static List<RenewAnswer> parse(byte[] reply) {
        List<RenewAnswer> answers = new ArrayList<>(reply.length);
        for (byte each : reply) {
            answers.add(each == '1' ? RenewAnswer.RENEWED : RenewAnswer.NOT_OWNER);
        }
        return answers;
    }

    static CompletableFuture<List<RenewAnswer>> together(
            List<CompletableFuture<List<RenewAnswer>>> batches, int size, int batchSize) {
        CompletableFuture<List<RenewAnswer>> result = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                batches.forEach(batch -> batch.cancel(mayInterruptIfRunning));
                return isDone();
            }
        };
        CompletableFuture.allOf(batches.toArray(CompletableFuture[]::new)).whenComplete((nothing, failure) -> {
            List<RenewAnswer> answers = new ArrayList<>(size);
            for (int i = 0; i < batches.size(); i++) {
                int expected = Math.min(batchSize, size - i * batchSize);
                CompletableFuture<List<RenewAnswer>> batch = batches.get(i);
                answers.addAll(
                        batch.isCompletedExceptionally()
                                ? Collections.nCopies(expected, RenewAnswer.UNKNOWN)
                                : batch.join());
            }
            result.complete(answers);
        });
        return result;
    }
}
