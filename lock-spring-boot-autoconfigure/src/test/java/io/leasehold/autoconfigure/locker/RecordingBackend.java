package io.leasehold.autoconfigure.locker;

import io.leasehold.autoconfigure.ClosingOrder;
import io.leasehold.spi.AcquireAnswer;
import io.leasehold.spi.AcquireCommand;
import io.leasehold.spi.LockBackend;
import io.leasehold.spi.ReleaseAnswer;
import io.leasehold.spi.ReleaseCommand;
import io.leasehold.spi.RenewAnswer;
import io.leasehold.spi.RenewCommand;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A store that notes when it releases and when it is closed. */
record RecordingBackend(LockBackend delegate, ClosingOrder order) implements LockBackend {

    @Override
    public CompletionStage<AcquireAnswer> acquire(AcquireCommand command) {
        return delegate.acquire(command);
    }

    @Override
    public CompletionStage<List<RenewAnswer>> renew(List<RenewCommand> commands) {
        return delegate.renew(commands);
    }

    @Override
    public CompletionStage<ReleaseAnswer> release(ReleaseCommand command) {
        order.add("release");
        return delegate.release(command);
    }

    @Override
    public void close() {
        order.add("close");
        delegate.close();
    }
}
