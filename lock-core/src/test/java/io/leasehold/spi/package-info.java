/** Tests of the values of the SPI. */
@NullMarked
package io.leasehold.spi;

import org.jspecify.annotations.NullMarked;
