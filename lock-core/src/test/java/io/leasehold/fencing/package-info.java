/** Tests of fencing: a protected resource rejects late writers. */
@NullMarked
package io.leasehold.fencing;

import org.jspecify.annotations.NullMarked;
