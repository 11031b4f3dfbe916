/**
 * Support for resources that check fencing tokens. A protected resource remembers the highest token that it has seen,
 * and refuses lower ones. This package depends on tokens only, not on locks. A service that receives the token with a
 * request can therefore use it as well as the holder itself. It uses only the JDK, including {@code javax.sql}.
 * Applications use it, and no other package of this library.
 */
@NullMarked
package io.leasehold.fencing;

import org.jspecify.annotations.NullMarked;
