/**
 * The architecture rules as tests, see {@link io.leasehold.architecture.ArchitectureRules}. The packages below
 * {@code violating} in the tests of each module violate each rule once, to show that the rules report violations.
 */
@NullMarked
package io.leasehold.architecture;

import org.jspecify.annotations.NullMarked;
