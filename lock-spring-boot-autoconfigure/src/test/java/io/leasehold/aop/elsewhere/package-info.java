/** Superclasses of beans, in a package of their own. */
@NullMarked
package io.leasehold.aop.elsewhere;

import org.jspecify.annotations.NullMarked;
