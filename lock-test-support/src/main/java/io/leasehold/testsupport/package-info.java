/**
 * What tests of every module share: a proxy that breaks connections in known ways, a time of day that a test moves, and seeds
 * that can be repeated. The servers are in {@code io.leasehold.servers}.
 */
@NullMarked
package io.leasehold.testsupport;

import org.jspecify.annotations.NullMarked;
