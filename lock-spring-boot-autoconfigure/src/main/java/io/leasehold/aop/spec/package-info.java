/**
 * The parsed annotation of a method: its key, its terms, its fallback, the kind of its result, and errors in its
 * declaration. Uses the expression language and reflection; acquires no lock. The other packages of the aspect use it.
 */
@NullMarked
package io.leasehold.aop.spec;

import org.jspecify.annotations.NullMarked;
