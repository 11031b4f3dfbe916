/** Tests of the memory backend. */
@NullMarked
package io.leasehold.memory;

import org.jspecify.annotations.NullMarked;
