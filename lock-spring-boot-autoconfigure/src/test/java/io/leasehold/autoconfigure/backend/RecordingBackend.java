package io.leasehold.autoconfigure.backend;

import io.leasehold.autoconfigure.ClosingOrder;
import io.leasehold.spi.DelegatingLockBackend;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import java.util.concurrent.CompletionStage;

/** A store that notes when it releases and when it is closed. */
final class RecordingBackend extends DelegatingLockBackend {

    private final ClosingOrder order;

    RecordingBackend(LockBackend delegate, ClosingOrder order) {
        super(delegate);
        this.order = order;
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        order.add("release");
        return super.release(command);
    }

    @Override
    public void close() {
        order.add("close");
        super.close();
    }
}
