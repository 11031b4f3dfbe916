package io.leasehold.servers;

/** The images that a Docker engine runs for tests. */
public enum TestImage {

    /** MySQL's own server. */
    MYSQL("mysql:8.4"),

    /** The Redis that the tests do not have as a program. */
    REDIS("redis:8.2"),

    /** Valkey, which speaks the protocol of Redis. */
    VALKEY("valkey/valkey:8.1"),

    /** etcd as Rancher builds it. */
    ETCD("rancher/hardened-etcd:v3.6.14-k3s1-build20260819");

    private final String tag;

    TestImage(String tag) {
        this.tag = tag;
    }

    /** The image's name and tag. */
    public String tag() {
        return tag;
    }
}
