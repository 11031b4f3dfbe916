package io.leasehold.testsupport;

/** The images of servers that only a Docker engine can run. */
public enum TestImage {

    /** MySQL's own server. */
    MYSQL("mysql:8.4");

    private final String tag;

    TestImage(String tag) {
        this.tag = tag;
    }

    /** The image's name and tag. */
    public String tag() {
        return tag;
    }
}
