package io.leasehold.benchmarks.row;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.report.MarkdownTable;
import io.leasehold.benchmarks.report.Report;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A large number of locks, each acquired and released once. Shows what remains of them immediately afterwards, and
 * after the store had time to expire keys.
 *
 * @param name the row's name
 * @param contestants the contestants to compare; each peer locks a fifth of the keys
 */
public record KeysRow(String name, List<? extends Contestant> contestants) implements Row {

    private static final int PEERS_SHARE = 5;

    private static final Duration RETENTION = Duration.ofSeconds(90);

    @Override
    public void run(Effort effort, Report report) {
        report.paragraph("### %,d keys, each locked once; peers lock a fifth of them".formatted(effort.keys()));
        List<KeyUser> users = new ArrayList<>();
        try {
            for (Contestant contestant : contestants) {
                int keys = switch (contestant.role()) {
                    case OURS -> effort.keys();
                    case RAW, PEER -> effort.keys() / PEERS_SHARE;
                };
                report.progress(name + ": " + contestant.label() + " locks " + keys);
                KeyUser user = new KeyUser(contestant, keys);
                users.add(user);
                user.lockAll();
            }
            report.progress(name + ": waiting for the store to forget");
            Sleep.upTo(RETENTION, () -> users.stream().allMatch(KeyUser::forgotten));
            MarkdownTable table = new MarkdownTable(KeyFigures.HEADERS);
            for (KeyUser user : users) {
                KeyFigures figures = user.figures();
                figures.writeTo(report, name, user.contestant().label());
                table.add(figures.line(user.contestant().title()));
            }
            report.paragraph(table);
        } finally {
            users.forEach(KeyUser::close);
        }
    }
}
