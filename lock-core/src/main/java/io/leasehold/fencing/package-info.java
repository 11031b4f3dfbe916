/**
 * The resource's side of fencing tokens: what is protected by a lock remembers the highest token that it has seen, and
 * refuses whoever comes with a lower one. It knows tokens only, no locks, so that a service which receives the token with a
 * request can use it as well as the holder itself.
 */
@NullMarked
package io.leasehold.fencing;

import org.jspecify.annotations.NullMarked;
