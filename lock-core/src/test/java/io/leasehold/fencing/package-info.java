/** What is protected refuses whoever comes too late. */
@NullMarked
package io.leasehold.fencing;

import org.jspecify.annotations.NullMarked;
