/** Tests of the values that stores speak in. */
@NullMarked
package io.leasehold.spi;

import org.jspecify.annotations.NullMarked;
