package io.leasehold.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The address in the message of a failed connection, for the forms of URLs that drivers document. */
class DatabaseAddressTests {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            jdbc:postgresql://one,two/shop?user=ada&password=secret             | jdbc:postgresql://one,two/shop, user 'ada'
            jdbc:h2:tcp://one/~/shop;USER=ada;PASSWORD=secret                   | jdbc:h2:tcp://one/~/shop, user 'ada'
            jdbc:mariadb:sequential://one:3306,two:3306/shop                    | jdbc:mariadb:sequential://one:3306,two:3306/shop, no user
            jdbc:mysql://ada:secret@one/shop                                    | jdbc:mysql://one/shop, no user
            jdbc:mysql://ada:p@secret@one/shop                                  | jdbc:mysql://one/shop, no user
            jdbc:mysql://ada:p/secret@one/shop                                  | jdbc:mysql://one/shop, no user
            jdbc:mysql:replication://ada:a@one:3306,bob:secret@two:3306/shop    | jdbc:mysql:replication://two:3306/shop, no user
            jdbc:mysql://ada:secret@[one:3306,two:3306]/shop                    | jdbc:mysql://[one:3306,two:3306]/shop, no user
            jdbc:mysql://address=(host=one)(user=ada)(password=secret)/shop     | jdbc:mysql://address=(host=one)(user=ada)(password=***)/shop, no user
            jdbc:mysql://(host=one,password=secret,user=ada)/shop               | jdbc:mysql://(host=one,password=***,user=ada)/shop, no user
            jdbc:mysql://(trustCertificateKeyStorePassword=secret,host=one)/a   | jdbc:mysql://(trustCertificateKeyStorePassword=***,host=one)/a, no user
            """)
    void theAddressHasNoPassword(String url, String text) {
        assertThat(DatabaseAddress.of(url, null).text()).isEqualTo(" (" + text + ")");
    }
}
