package io.leasehold.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockHandle;
import io.leasehold.LockKeys;
import io.leasehold.LockListing;
import io.leasehold.Locker;
import io.leasehold.LockerRegistry;
import io.leasehold.actuate.ListingDescriptor;
import io.leasehold.actuate.LocksEndpoint;
import io.leasehold.actuate.LocksEndpointWebExtension;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

/** Where an application lists the locks of a namespace. */
class ListingTests {

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LocksEndpointAutoConfiguration.class))
            .withPropertyValues(
                    "lock.backend=memory",
                    "lock.instance-name=orders-1",
                    "management.endpoints.web.exposure.include=locks");

    @Test
    void theRegistryListsTheLocksOfALocker() {
        runner.run(context -> {
            Locker locker = context.getBean(Locker.class);
            try (LockHandle a = locker.lock("a");
                    LockHandle b = locker.lock("b")) {
                LockListing listing = context.getBean(LockerRegistry.class)
                        .list("default", 10)
                        .toCompletableFuture()
                        .join();
                assertThat(listing.incomplete()).isNull();
                assertThat(listing.locks())
                        .hasSize(2)
                        .allSatisfy(lock -> assertThat(lock.state().fencingToken())
                                .hasValue(lock.key().equals("a") ? a.fencingToken() : b.fencingToken()));
            }
        });
    }

    @Test
    void theEndpointMasksKeysAndHolders() {
        runner.run(context -> {
            try (LockHandle lock = context.getBean(Locker.class).lock("a")) {
                ListingDescriptor listing = Objects.requireNonNull(
                        context.getBean(LocksEndpoint.class).list("default", null, null));
                assertThat(listing.complete()).isTrue();
                assertThat(listing.locks()).singleElement().satisfies(listed -> {
                    assertThat(listed.key()).isEqualTo("******");
                    assertThat(listed.lock().holder()).isEqualTo("******");
                    assertThat(listed.lock().fencingToken()).isEqualTo(lock.fencingToken());
                });
            }
            assertThat(context.getBean(LocksEndpoint.class).list("none", null, null))
                    .isNull();
        });
    }

    @Test
    void theEndpointShowsKeysIfItIsToldUnlessTheLockerMasksThem() {
        WebApplicationContextRunner shown = runner.withPropertyValues("management.endpoint.locks.show-values=always");
        shown.run(context -> assertThat(onlyKey(context.getBean(Locker.class), context.getBean(LocksEndpoint.class)))
                .isEqualTo("a"));
        shown.withPropertyValues("lock.mask-keys=true")
                .run(context -> assertThat(onlyKey(context.getBean(Locker.class), context.getBean(LocksEndpoint.class)))
                        .isEqualTo(LockKeys.mask("a")));
    }

    @Test
    void aBoundedListingIsNotComplete() {
        runner.run(context -> {
            Locker locker = context.getBean(Locker.class);
            try (LockHandle a = locker.lock("a");
                    LockHandle b = locker.lock("b")) {
                assertThat(a.fencingToken()).isNotEqualTo(b.fencingToken());
                ListingDescriptor listing = body(web(context.getBean(LocksEndpointWebExtension.class), "default", 1));
                assertThat(listing.locks()).hasSize(1);
                assertThat(listing.complete()).isFalse();
                assertThat(listing.reason()).isEqualTo("more than 1 locks are held");
            }
        });
    }

    @Test
    void badInputIsAnswered() {
        runner.run(context -> {
            LocksEndpointWebExtension endpoint = context.getBean(LocksEndpointWebExtension.class);
            assertThat(web(endpoint, "other", null).getStatus()).isEqualTo(404);
            assertThat(body(web(endpoint, "other", null)).reason()).contains("no locker has this name");
            for (int limit : new int[] {-1, 0, 10_001}) {
                assertThat(web(endpoint, "default", limit).getStatus()).isEqualTo(400);
                assertThat(body(web(endpoint, "default", limit)).reason()).contains("'limit' must be 1 to 10000");
            }
        });
    }

    /** The default locker exists in each application, and is created when it is first used. */
    @Test
    void aLockerThatHasNoStoreIsAnswered() {
        new WebApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(LockAutoConfiguration.class, LocksEndpointAutoConfiguration.class))
                .withPropertyValues(
                        "lock.lockers.deploy.backend=memory", "management.endpoints.web.exposure.include=locks")
                .run(context -> {
                    LocksEndpointWebExtension endpoint = context.getBean(LocksEndpointWebExtension.class);
                    assertThat(endpoint.locks(SecurityContext.NONE).lockers()).containsKey("default");
                    assertThat(web(endpoint, "default", null).getStatus()).isEqualTo(503);
                    assertThat(body(web(endpoint, "default", null)).reason()).contains("'lock.backend' must be set");
                    assertThat(endpoint.lock(SecurityContext.NONE, "default", "a")
                                    .getStatus())
                            .isEqualTo(503);
                    assertThat(endpoint.forceRelease(SecurityContext.NONE, "default", 1, "a")
                                    .getStatus())
                            .isEqualTo(503);
                });
    }

    private static String onlyKey(Locker locker, LocksEndpoint endpoint) {
        try (LockHandle lock = locker.lock("a")) {
            assertThat(lock.isHeld()).isTrue();
            return Objects.requireNonNull(endpoint.list("default", null, null))
                    .locks()
                    .get(0)
                    .key();
        }
    }

    private static WebEndpointResponse<ListingDescriptor> web(
            LocksEndpointWebExtension endpoint, String locker, @Nullable Integer limit) {
        return endpoint.list(SecurityContext.NONE, locker, limit, null);
    }

    private static ListingDescriptor body(WebEndpointResponse<ListingDescriptor> response) {
        return Objects.requireNonNull(response.getBody());
    }
}
