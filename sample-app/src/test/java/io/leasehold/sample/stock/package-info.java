@NullMarked
package io.leasehold.sample.stock;

import org.jspecify.annotations.NullMarked;
