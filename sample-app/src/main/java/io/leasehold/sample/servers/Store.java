package io.leasehold.sample.servers;

import java.util.EnumSet;
import java.util.Set;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** What the sample needs, and can start by itself. */
enum Store {
    REDIS("spring.data.redis"),
    REDLOCK(RedisPorts.PREFIX),
    CLUSTER("spring.data.redis.cluster"),
    DATABASE("spring.datasource");

    private final String prefix;

    Store(String prefix) {
        this.prefix = prefix;
    }

    /** The user has not configured one, by any property under its prefix. */
    boolean isMissing(Environment environment) {
        return !Binder.get(environment)
                .bind(prefix, Bindable.mapOf(String.class, Object.class))
                .isBound();
    }

    /** What is needed, by what {@code sample.servers.locks} says, and not configured. */
    static Set<Store> missing(Environment environment) {
        String locks = environment.getProperty("sample.servers.locks", SampleServersProperties.REDIS);
        Set<Store> missing = EnumSet.allOf(Store.class);
        missing.removeIf(store -> store != DATABASE && !store.name().equalsIgnoreCase(locks));
        missing.removeIf(store -> !store.isMissing(environment));
        return missing;
    }
}
