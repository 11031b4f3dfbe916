package io.leasehold.sample.instances;

/**
 * An instance of the sample.
 *
 * @param name a colon and its port
 * @param url where its page is
 * @param pid its process
 */
public record Instance(String name, String url, long pid) {}
