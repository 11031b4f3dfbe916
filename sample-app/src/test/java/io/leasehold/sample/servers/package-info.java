@NullMarked
package io.leasehold.sample.servers;

import org.jspecify.annotations.NullMarked;
