package io.leasehold.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class DistancePictureTests {

    @Test
    void eachContestantHasALine() throws Exception {
        DistancePicture picture = new DistancePicture("Redis & 8 threads");
        picture.add("ours", 0, 10_000);
        picture.add("ours", 20, 100);
        picture.add("raw", 0, 9_000);
        picture.add("raw", 20, 90);

        Document svg = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(picture.svg())));

        assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(2);
        String[] ends = ((Element) svg.getElementsByTagName("polyline").item(0))
                .getAttribute("points")
                .split("[ ,]");
        assertThat(Double.parseDouble(ends[0])).isLessThan(Double.parseDouble(ends[2]));
        assertThat(Double.parseDouble(ends[1]))
                .as("a higher rate is drawn higher")
                .isLessThan(Double.parseDouble(ends[3]));
    }

    @Test
    void oneDistanceIsNotWorthAPicture() {
        DistancePicture picture = new DistancePicture("Redis");
        picture.add("ours", 2, 100);
        picture.add("raw", 2, 90);

        assertThat(picture.isWorthDrawing()).isFalse();
    }
}
