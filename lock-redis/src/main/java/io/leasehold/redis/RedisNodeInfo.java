package io.leasehold.redis;

import io.leasehold.spi.SafetyFinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What one server says of itself; the name is empty if there is only one. */
record RedisNodeInfo(String name, Properties info) {

    private static final Pattern OF_NODE = Pattern.compile("(.+:\\d+)\\.(\\w+)");

    /** The answers of all nodes, which spring-data-redis puts in one with the names of the nodes in front. */
    static List<RedisNodeInfo> split(Properties all) {
        Map<String, Properties> byNode = new TreeMap<>();
        for (String key : all.stringPropertyNames()) {
            Matcher ofNode = OF_NODE.matcher(key);
            boolean named = ofNode.matches();
            byNode.computeIfAbsent(named ? ofNode.group(1) : "", name -> new Properties())
                    .setProperty(named ? ofNode.group(2) : key, all.getProperty(key));
        }
        List<RedisNodeInfo> nodes = new ArrayList<>();
        byNode.forEach((name, info) -> nodes.add(new RedisNodeInfo(name, info)));
        return nodes;
    }

    boolean isReplica() {
        return info.getProperty("role", "master").equals("slave");
    }

    /** Whether it is a replica, or a master that has one: not all clients ask replicas. */
    boolean tellsOfReplicas() {
        return isReplica() || !info.getProperty("connected_slaves", "0").equals("0");
    }

    SafetyFinding named(SafetyFinding finding) {
        return name.isEmpty()
                ? finding
                : new SafetyFinding("node '" + name + "', " + finding.subject(), finding.finding(), finding.nextStep());
    }
}
