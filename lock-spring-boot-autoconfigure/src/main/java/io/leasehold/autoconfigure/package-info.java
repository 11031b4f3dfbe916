/**
 * Wiring only: the auto-configurations, and the check of the store at the start. It uses all packages of this module
 * except the adapters, {@code context}, {@code web} and {@code diagnostics}. No package of this module uses it.
 */
@NullMarked
package io.leasehold.autoconfigure;

import org.jspecify.annotations.NullMarked;
