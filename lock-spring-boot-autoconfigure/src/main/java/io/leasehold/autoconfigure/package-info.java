/**
 * Wiring only: the auto-configurations, and the check of the store at the start. Sees all packages of this module but
 * {@code diagnostics}; none of them sees it.
 */
@NullMarked
package io.leasehold.autoconfigure;

import org.jspecify.annotations.NullMarked;
