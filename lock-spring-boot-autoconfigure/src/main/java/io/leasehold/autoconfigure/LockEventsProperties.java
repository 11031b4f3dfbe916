package io.leasehold.autoconfigure;

import io.leasehold.event.LockEventType;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which application events are published.
 *
 * @param publish Events to publish. Empty publishes none.
 */
@ConfigurationProperties(prefix = "lock.events", ignoreUnknownFields = false)
record LockEventsProperties(@DefaultValue("lost") Set<LockEventType> publish) {}
