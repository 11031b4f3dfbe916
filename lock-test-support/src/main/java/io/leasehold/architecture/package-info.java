/**
 * The house rules as tests, see {@link io.leasehold.architecture.HouseRules}. The packages below {@code planted} in the
 * tests of each module break each of them once, to show that it is noticed.
 */
@NullMarked
package io.leasehold.architecture;

import org.jspecify.annotations.NullMarked;
