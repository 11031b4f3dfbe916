package io.leasehold.redis;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Runs scripts in a lane of their own, until replicas have confirmed what they wrote. */
final class ReplicatedScriptRunner implements ScriptRunner {

    private final Connecting<Lanes> lanes;

    private final Function<Lanes, LettuceLane> lane;

    ReplicatedScriptRunner(Connecting<Lanes> lanes, Function<Lanes, LettuceLane> lane) {
        this.lanes = lanes;
        this.lane = lane;
    }

    @Override
    public <T> CompletableFuture<T> run(RedisScript script, byte[][] keys, byte[]... arguments) {
        ReplicatedCall<T> call = new ReplicatedCall<>(script, keys, arguments);
        Lanes open = lanes.now();
        if (open != null) {
            lane.apply(open).run(call);
        } else {
            lanes.whenOpen().whenComplete((opened, failure) -> {
                if (failure == null) {
                    lane.apply(opened).run(call);
                } else {
                    call.completeExceptionally(failure);
                }
            });
        }
        return call;
    }

    @Override
    public void close() {
        lanes.close();
    }
}
