package io.leasehold.backend.etcd;

import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.TxnResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what the reading steps of a transaction have found. */
final class TxnAnswers {

    private TxnAnswers() {}

    static List<KeyValue> all(TxnResponse response, int step) {
        return response.getResponses(step).getResponseRange().getKvsList();
    }

    static @Nullable KeyValue first(TxnResponse response, int step) {
        List<KeyValue> found = all(response, step);
        return found.isEmpty() ? null : found.get(0);
    }
}
