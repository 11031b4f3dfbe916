/**
 * What an annotation says about a method: its key, its terms, its fallback, the kind of its result, and what is wrong
 * with it. Uses the expression language and reflection; takes no lock. The other packages of the aspect read it.
 */
@NullMarked
package io.leasehold.aop.spec;

import org.jspecify.annotations.NullMarked;
