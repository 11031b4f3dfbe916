/** A database with entities, for tests of locks around transactions. */
package io.leasehold.jpa;
