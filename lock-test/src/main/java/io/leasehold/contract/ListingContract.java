package io.leasehold.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockListing;
import io.leasehold.LockState.Kind;
import io.leasehold.spi.Instance;
import io.leasehold.spi.LockId;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests that other processes can list the locks of a namespace, or that the store reports that it cannot tell. */
public interface ListingContract extends StoreUnderTest {

    @Test
    default void aNamespaceWithoutLocksIsEmpty() {
        LockListing listing = otherProcess().list(10);
        assertThat(listing.locks()).isEmpty();
        assertThat(listing.incomplete() == null).isEqualTo(supports(Capability.LISTING));
    }

    @Test
    default void aStoreThatCannotListSaysSo() {
        store().grant("a");
        LockListing listing = otherProcess().list(10);
        if (!supports(Capability.LISTING)) {
            assertThat(listing.locks()).isEmpty();
            assertThat(listing.incomplete()).isNotBlank();
        }
    }

    @Test
    default void heldLocksAreListedWithTheirHolders() {
        if (supports(Capability.LISTING)) {
            Instance holder = new Instance(ThreadLocalRandom.current().nextLong(), "orders@host:1");
            Held held = store().grantTo(holder, store().id("a"), LONG);
            store().release(store().grant("released"));
            LockListing listing = otherProcess().list(10);
            assertThat(listing.incomplete()).isNull();
            assertThat(listing.locks()).singleElement().satisfies(lock -> {
                assertThat(lock.key()).isEqualTo("a");
                assertThat(lock.state().kind()).isEqualTo(Kind.HOLDER);
                assertThat(lock.state().holder()).isEqualTo("orders@host:1");
                assertThat(lock.state().since()).isNotNull();
                assertThat(lock.state().remaining()).isPositive();
                assertThat(lock.state().fencingToken().orElseThrow()).isGreaterThanOrEqualTo(held.firstFence());
            });
        }
    }

    @Test
    default void aListingIsBoundedAndSaysSo() {
        if (supports(Capability.LISTING)) {
            for (int i = 0; i < 4; i++) {
                store().grant("a" + i);
            }
            assertThat(otherProcess().list(3).locks()).hasSize(3);
            assertThat(otherProcess().list(3).incomplete()).isEqualTo("more than 3 locks are held");
            assertThat(otherProcess().list(4).locks()).hasSize(4);
            assertThat(otherProcess().list(4).incomplete()).isNull();
        }
    }

    /** A store may keep the entry of a lock that is free, for its fencing tokens. */
    @Test
    default void freeLocksDoNotCountForTheLimit() {
        if (supports(Capability.LISTING)) {
            for (int i = 0; i < 4; i++) {
                store().release(store().grant("released" + i));
                store().grant(store().id("expired" + i), shortTtl());
            }
            passShortTtl();
            store().grant("b");
            store().grant("c");
            LockListing listing = otherProcess().list(2);
            assertThat(keys(listing)).containsExactly("b", "c");
            assertThat(listing.incomplete()).isNull();
        }
    }

    @Test
    default void aListingHasTheLocksOfItsNamespaceOnly() {
        if (supports(Capability.LISTING)) {
            store().grant("a");
            String namespace = store().id("a").encoded().split(":")[0];
            inNamespace(namespace.toUpperCase(Locale.ROOT)).grant("b");
            inNamespace(namespace.replaceFirst("-([^-]*)$", "_$1")).grant("c");
            inNamespace(namespace + "-2").grant("d");
            assertThat(keys(otherProcess().list(10))).containsExactly("a");
        }
    }

    @Test
    default void listedKeysAreTheKeysOfTheLocks() {
        if (supports(Capability.LISTING)) {
            Set<String> granted = new TreeSet<>();
            for (UnusualKey key : UnusualKey.all()) {
                LockId id = store().id(key.key());
                store().grant(id, LONG);
                granted.add(LockId.key(id.encoded()));
            }
            LockListing listing = otherProcess().list(100);
            assertThat(keys(listing)).isEqualTo(granted).contains("{a}b", "a\r\nb", "100%");
            assertThat(listing.incomplete()).isNull();
        }
    }

    @Test
    default void aRetainedLeaseIsListedAsReleasedAndAnExpiredOneIsNot() {
        if (supports(Capability.LISTING)) {
            store().grant(store().id("expired"), shortTtl());
            store().release(store().grant("retained"), LONG);
            passShortTtl();
            assertThat(otherProcess().list(10).locks()).singleElement().satisfies(lock -> {
                assertThat(lock.key()).isEqualTo("retained");
                assertThat(lock.state().kind()).isEqualTo(Kind.RELEASED);
            });
        }
    }

    private static Set<String> keys(LockListing listing) {
        return listing.locks().stream().map(LockListing.Entry::key).collect(Collectors.toCollection(TreeSet::new));
    }
}
