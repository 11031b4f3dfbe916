/** Tests of the memory backend. */
@NullMarked
package io.leasehold.jfr;

import org.jspecify.annotations.NullMarked;
