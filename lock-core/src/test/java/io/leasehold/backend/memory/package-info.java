/** Tests of the memory backend. */
@NullMarked
package io.leasehold.backend.memory;

import org.jspecify.annotations.NullMarked;
