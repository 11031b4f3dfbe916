/** Tests of the API. */
@NullMarked
package io.leasehold;

import org.jspecify.annotations.NullMarked;
