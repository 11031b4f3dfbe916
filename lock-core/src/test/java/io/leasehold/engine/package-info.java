/** Tests of the engine: in virtual time over a scripted store, and in real time over the memory backend. */
@NullMarked
package io.leasehold.engine;

import org.jspecify.annotations.NullMarked;
