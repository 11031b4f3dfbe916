/**
 * Creates the bean of a locker from its properties: names, settings, stores and the registry. Of the
 * auto-configuration, it uses only {@code property}. The packages of the stores, the adapters and {@code diagnostics}
 * use it.
 */
@NullMarked
package io.leasehold.autoconfigure.locker;

import org.jspecify.annotations.NullMarked;
