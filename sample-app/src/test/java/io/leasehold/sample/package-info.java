/**
 * The stories, played by instances within this JVM on a real Redis and a real database.
 */
@NullMarked
package io.leasehold.sample;

import org.jspecify.annotations.NullMarked;
