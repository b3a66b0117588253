package dev.pointsman;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// A command's page of the manual, in the words of its `--help`, as man(7) wants it.
final class ManPage {
    private final CommandLine command;
    private final List<String> lines = new ArrayList<>();

    private ManPage(CommandLine command) {
        this.command = command;
    }

    static String of(CommandLine command) {
        ManPage page = new ManPage(command);
        page.write();
        return String.join("\n", page.lines) + "\n";
    }

    /// `pointsman-get-services`, as the files of the pages are called.
    static String name(CommandLine command) {
        return command.getCommandSpec().qualifiedName("-");
    }

    private void write() {
        CommandSpec spec = command.getCommandSpec();
        List<String> description = Commands.description(command);
        lines.add(".TH " + name(command).toUpperCase(Locale.ROOT) + " 1 \"\" Pointsman");
        section("NAME", name(command) + " - " + description.getFirst());
        section("SYNOPSIS", command.getHelp().synopsis(0).strip());
        section("DESCRIPTION", description.toArray(String[]::new));
        if (!spec.positionalParameters().isEmpty() || !spec.options().isEmpty()) {
            section("OPTIONS");
            for (PositionalParamSpec parameter : spec.positionalParameters()) {
                term(parameter.paramLabel(), String.join(" ", parameter.description()));
            }
            for (OptionSpec option : Commands.options(command)) {
                term(head(option), Commands.description(option));
            }
        }
        Map<String, String> codes = spec.usageMessage().exitCodeList();
        if (!codes.isEmpty()) {
            section("EXIT STATUS");
            codes.forEach(this::term);
        }
        List<String> others = seeAlso();
        if (!others.isEmpty()) {
            section("SEE ALSO", String.join("(1), ", others) + "(1)");
        }
    }

    private List<String> seeAlso() {
        CommandLine parent = command.getParent();
        return Stream.concat(Stream.ofNullable(parent), Commands.below(command).stream())
                .map(ManPage::name)
                .toList();
    }

    private static String head(OptionSpec option) {
        String names = String.join(", ", option.names());
        return option.arity().max() == 0 ? names : names + "=" + option.paramLabel();
    }

    private void section(String heading, String... paragraphs) {
        lines.add(".SH " + heading);
        for (int i = 0; i < paragraphs.length; i++) {
            if (i > 0) {
                lines.add(".PP");
            }
            lines.add(text(paragraphs[i]));
        }
    }

    private void term(String term, String text) {
        lines.add(".TP");
        lines.add(".B " + quoted(term));
        lines.add(text(text));
    }

    private static String quoted(String words) {
        return '"' + text(words).replace("\"", "\\(dq") + '"';
    }

    /// Text as it is: no hyphens for dashes, no requests where a line begins with a dot.
    private static String text(String words) {
        String plain = Ansi.OFF.string(words).replace("\\", "\\e").replace("-", "\\-");
        return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
    }
}
