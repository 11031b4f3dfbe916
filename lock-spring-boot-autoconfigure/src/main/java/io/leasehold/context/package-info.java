/**
 * Carries the locks of a thread by Micrometer's context propagation, which finds the accessors by its service loader.
 * It knows no beans, so that it keeps no application context in memory.
 */
@NullMarked
package io.leasehold.context;

import org.jspecify.annotations.NullMarked;
