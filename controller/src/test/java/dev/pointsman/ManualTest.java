package dev.pointsman;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Pages of the manual and completions for fish, held against what `--help` says.
final class ManualTest {
    private final Console console = new Console(List::of, "node-a");

    private String said(String... line) {
        assertThat(console.run(InputStream.nullInputStream(), List.of(line))).isZero();
        return console.out.toString();
    }

    @Test
    void every_command_that_help_lists_has_a_page() {
        assertThat(said("man", "--list").lines())
                .contains("pointsman", "pointsman-run", "pointsman-get", "pointsman-get-services")
                .doesNotHaveDuplicates();
        said("man", "--list")
                .lines()
                .map(page -> ("man" + page.substring("pointsman".length())).split("-"))
                .forEach(
                        line ->
                                assertThat(said(line))
                                        .startsWith(".TH POINTSMAN")
                                        .contains(".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION"));
    }

    @Test
    void a_page_has_options_and_exit_codes() {
        assertThat(said("man", "cleanup"))
                .contains(
                        """
                        .SH NAME
                        pointsman\\-cleanup \\- Removes the rules\
                        """,
                        """
                        .TP
                        .B "\\-\\-kube\\-proxy"
                        Remove what kube\\-proxy left as well.
                        """,
                        """
                        .SH EXIT STATUS
                        .TP
                        .B "0"
                        everything\
                        """,
                        """
                        .SH SEE ALSO
                        pointsman(1)
                        """);
    }

    @Test
    void fish_is_offered_commands_and_options_where_they_belong() {
        assertThat(said("completion", "fish").lines())
                .contains(
                        "complete -c pointsman -n '__fish_seen_subcommand_from cleanup; and true'"
                                + " -l kube-proxy -d 'Remove what kube-proxy left as well.'")
                .anyMatch(
                        line ->
                                line.startsWith(
                                        "complete -c pointsman -n '__fish_seen_subcommand_from get;"
                                                + " and not __fish_seen_subcommand_from "))
                .allMatch(line -> line.startsWith("complete -c pointsman "));
    }
}
