/**
 * The instances of the sample that run, and the one of this process.
 */
@NullMarked
package io.leasehold.sample.instances;

import org.jspecify.annotations.NullMarked;
