@NullMarked
package io.leasehold.sample.holders;

import org.jspecify.annotations.NullMarked;
