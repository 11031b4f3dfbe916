/**
 * What tests of every module share: real servers that end with the test, a proxy that breaks connections in known ways,
 * and seeds that can be repeated. Needs no container engine.
 */
@NullMarked
package io.leasehold.testsupport;

import org.jspecify.annotations.NullMarked;
