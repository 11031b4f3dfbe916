/** Backends with one mistake each, to show that the contract detects it. */
@NullMarked
package io.leasehold.contract.broken;

import org.jspecify.annotations.NullMarked;
