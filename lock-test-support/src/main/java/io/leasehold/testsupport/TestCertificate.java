package io.leasehold.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/** A self-signed certificate for the loopback interface, created by the JDK's keytool, as files in PEM form. */
public record TestCertificate(Path certificate, Path privateKey) {

    private static final String PASSWORD = "changeit";

    /** Creates a certificate that is valid for some days, with its files in a folder. */
    public static TestCertificate create(Path folder) {
        Path store = folder.resolve("store.p12");
        try {
            runKeytool(store);
            return export(store, folder);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        } catch (GeneralSecurityException ex) {
            throw new IllegalStateException(ex);
        }
    }

    private static void runKeytool(Path store) throws IOException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "test",
                        "-keyalg",
                        "RSA",
                        "-keysize",
                        "2048",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost,ip:127.0.0.1",
                        "-ext",
                        "BC=ca:true",
                        "-ext",
                        "EKU=serverAuth,clientAuth",
                        "-validity",
                        "7",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .redirectErrorStream(true)
                .start();
        try {
            if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
                throw new IllegalStateException("keytool made no certificate: "
                        + new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            }
        } catch (InterruptedException ex) {
            keytool.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while keytool ran", ex);
        }
    }

    private static TestCertificate export(Path store, Path folder) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        Path certificate = pem(
                folder.resolve("certificate.pem"),
                "CERTIFICATE",
                keys.getCertificate("test").getEncoded());
        Path privateKey = pem(
                folder.resolve("key.pem"),
                "PRIVATE KEY",
                keys.getKey("test", PASSWORD.toCharArray()).getEncoded());
        return new TestCertificate(certificate, privateKey);
    }

    private static Path pem(Path file, String type, byte[] content) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
    }
}
