package io.leasehold.servers.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.AuthEnableRequest;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthRoleAddRequest;
import io.etcd.jetcd.api.AuthRoleGrantPermissionRequest;
import io.etcd.jetcd.api.AuthUserAddRequest;
import io.etcd.jetcd.api.AuthUserChangePasswordRequest;
import io.etcd.jetcd.api.AuthUserGrantRoleRequest;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.MoveLeaderRequest;
import io.etcd.jetcd.api.Permission;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.grpc.Channel;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** An operator's requests to an etcd, over a connection of its own. */
public final class EtcdAdmin implements AutoCloseable {

    private static final ByteString ALL = ByteString.copyFrom(new byte[] {0});

    private static final Pattern ID = Pattern.compile("\"ID\":\"(\\d+)\"");

    private final URI endpoint;

    private final ManagedChannel channel;

    /** Connects to a member at its address for clients, without TLS. */
    public EtcdAdmin(URI endpoint) {
        this.endpoint = endpoint;
        channel = Grpc.newChannelBuilder(endpoint.getAuthority(), InsecureChannelCredentials.create())
                .build();
    }

    static boolean leads(EtcdServer server) {
        try (EtcdAdmin admin = new EtcdAdmin(server.endpoint())) {
            StatusResponse status = admin.status();
            return status.getLeader() == status.getHeader().getMemberId();
        }
    }

    /** The channel, for requests without a method in this class. */
    public Channel channel() {
        return channel;
    }

    /** Deletes all keys. */
    public void wipe() {
        kv().deleteRange(DeleteRangeRequest.newBuilder()
                .setKey(ALL)
                .setRangeEnd(ALL)
                .build());
    }

    /** Returns all keys. */
    public List<KeyValue> keys() {
        return kv().range(RangeRequest.newBuilder().setKey(ALL).setRangeEnd(ALL).build())
                .getKvsList();
    }

    /** Returns the ids of all leases through the JSON gateway, because the stubs do not have this request. */
    public List<Long> leases() {
        HttpRequest request = HttpRequest.newBuilder(endpoint.resolve("/v3/lease/leases"))
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        try {
            String answer = HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body();
            return ID.matcher(answer)
                    .results()
                    .map(found -> Long.parseLong(found.group(1)))
                    .toList();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking for the leases", ex);
        }
    }

    /** Revokes a lease. */
    public void revoke(long lease) {
        LeaseGrpc.newBlockingStub(channel)
                .leaseRevoke(LeaseRevokeRequest.newBuilder().setID(lease).build());
    }

    /** Deletes one key. */
    public void delete(ByteString key) {
        kv().deleteRange(DeleteRangeRequest.newBuilder().setKey(key).build());
    }

    /** Writes a key, so that there is a newer revision, and compacts all older ones. */
    public void compact() {
        long revision = kv().put(PutRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8("compaction"))
                        .build())
                .getHeader()
                .getRevision();
        kv().compact(CompactionRequest.newBuilder()
                .setRevision(revision)
                .setPhysical(true)
                .build());
    }

    /** The status of this member. */
    public StatusResponse status() {
        return MaintenanceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(10, TimeUnit.SECONDS)
                .status(StatusRequest.getDefaultInstance());
    }

    /** Transfers the leadership to another member. This member must be the leader. */
    public void handOverTo(EtcdServer other) {
        long target;
        try (EtcdAdmin admin = new EtcdAdmin(other.endpoint())) {
            target = admin.status().getHeader().getMemberId();
        }
        MaintenanceGrpc.newBlockingStub(channel)
                .moveLeader(MoveLeaderRequest.newBuilder().setTargetID(target).build());
    }

    /** Enables authentication, and creates a user that may read and write the keys with a prefix. */
    public void requireLogin(String user, String password, String prefix) {
        AuthGrpc.AuthBlockingStub auth = AuthGrpc.newBlockingStub(channel);
        ByteString first = ByteString.copyFromUtf8(prefix);
        byte[] end = first.toByteArray();
        end[end.length - 1]++;
        Permission all = Permission.newBuilder()
                .setPermType(Permission.Type.READWRITE)
                .setKey(first)
                .setRangeEnd(ByteString.copyFrom(end))
                .build();
        auth.roleAdd(AuthRoleAddRequest.newBuilder().setName(user).build());
        auth.roleGrantPermission(AuthRoleGrantPermissionRequest.newBuilder()
                .setName(user)
                .setPerm(all)
                .build());
        addUser(auth, user, password, user);
        addUser(auth, "root", password, "root");
        auth.authEnable(AuthEnableRequest.getDefaultInstance());
    }

    /**
     * Changes the password of a user, after {@link #requireLogin}. etcd then accepts no earlier login of any user.
     *
     * @param rootPassword the password of the user that may change it
     */
    public void setPassword(String rootPassword, String user, String password) {
        Metadata login = new Metadata();
        login.put(
                Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER),
                AuthGrpc.newBlockingStub(channel)
                        .authenticate(AuthenticateRequest.newBuilder()
                                .setName("root")
                                .setPassword(rootPassword)
                                .build())
                        .getToken());
        AuthGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(login))
                .userChangePassword(AuthUserChangePasswordRequest.newBuilder()
                        .setName(user)
                        .setPassword(password)
                        .build());
    }

    private static void addUser(AuthGrpc.AuthBlockingStub auth, String user, String password, String role) {
        if ("root".equals(role)) {
            auth.roleAdd(AuthRoleAddRequest.newBuilder().setName(role).build());
        }
        auth.userAdd(AuthUserAddRequest.newBuilder()
                .setName(user)
                .setPassword(password)
                .build());
        auth.userGrantRole(AuthUserGrantRoleRequest.newBuilder()
                .setUser(user)
                .setRole(role)
                .build());
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }

    private KVGrpc.KVBlockingStub kv() {
        return KVGrpc.newBlockingStub(channel).withDeadlineAfter(10, TimeUnit.SECONDS);
    }
}
