package io.leasehold;

/** A public type of a package that is API. */
public interface Example {

    /** A method that callers use. */
    void kept();

    /** A method that the next version lacks. */
    default void removed() {}
}
