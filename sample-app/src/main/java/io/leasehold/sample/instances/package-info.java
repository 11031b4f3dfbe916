/**
 * Which instances of the sample run, and which of them this one is.
 */
@NullMarked
package io.leasehold.sample.instances;

import org.jspecify.annotations.NullMarked;
