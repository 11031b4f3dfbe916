/**
 * A store of leases that does not belong to Leasehold: a map behind a socket. It depends on {@code lock-core} alone, and its
 * test is the contract suite of {@code lock-test}.
 */
@NullMarked
package com.example.lockstore;

import org.jspecify.annotations.NullMarked;
