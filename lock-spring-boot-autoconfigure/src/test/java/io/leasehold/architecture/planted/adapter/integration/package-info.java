/** Breaks the rules of its room. */
@NullMarked
package io.leasehold.architecture.planted.adapter.integration;

import org.jspecify.annotations.NullMarked;
