/**
 * Creates the bean of a locker from its properties: names, settings and the registry. It also has the context of
 * asynchronous callers. Of the auto-configuration, it uses only {@code property} and {@code backend}. The adapters and
 * {@code diagnostics} use it.
 */
@NullMarked
package io.leasehold.autoconfigure.locker;

import org.jspecify.annotations.NullMarked;
