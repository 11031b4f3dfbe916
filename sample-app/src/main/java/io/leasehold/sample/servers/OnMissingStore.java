package io.leasehold.sample.servers;

import java.util.Set;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches as long as the user has not configured a store. */
abstract class OnMissingStore implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        return matches(Store.missing(context.getEnvironment()));
    }

    abstract boolean matches(Set<Store> missing);

    /** The servers of redlock are missing. */
    static final class Redlock extends OnMissingStore {

        @Override
        boolean matches(Set<Store> missing) {
            return missing.contains(Store.REDLOCK);
        }
    }

    /** The cluster is missing. */
    static final class Cluster extends OnMissingStore {

        @Override
        boolean matches(Set<Store> missing) {
            return missing.contains(Store.CLUSTER);
        }
    }

    /** Redis is missing. */
    static final class Redis extends OnMissingStore {

        @Override
        boolean matches(Set<Store> missing) {
            return missing.contains(Store.REDIS);
        }
    }

    /** The database is missing. */
    static final class Database extends OnMissingStore {

        @Override
        boolean matches(Set<Store> missing) {
            return missing.contains(Store.DATABASE);
        }
    }

    /** One of them is missing. */
    static final class Any extends OnMissingStore {

        @Override
        boolean matches(Set<Store> missing) {
            return !missing.isEmpty();
        }
    }
}
