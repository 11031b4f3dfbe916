/** Violates the rules of its package. */
@NullMarked
package io.leasehold.architecture.violating.adapter.integration;

import org.jspecify.annotations.NullMarked;
