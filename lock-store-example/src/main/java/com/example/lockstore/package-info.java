/**
 * An example of a store outside of Leasehold: a map behind a socket. It depends only on {@code lock-core}. The contract
 * suite of {@code lock-test} tests it.
 */
@NullMarked
package com.example.lockstore;

import org.jspecify.annotations.NullMarked;
