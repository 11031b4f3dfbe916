/**
 * Wiring only: the auto-configurations and what a failed start says. Sees all packages of this module; none of them
 * sees it.
 */
@NullMarked
package io.leasehold.autoconfigure;

import org.jspecify.annotations.NullMarked;
