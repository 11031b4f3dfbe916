/**
 * From the properties of a locker to its bean: names, settings, stores and the registry. Sees {@code property} only; the
 * stores see it.
 */
@NullMarked
package io.leasehold.autoconfigure.locker;

import org.jspecify.annotations.NullMarked;
