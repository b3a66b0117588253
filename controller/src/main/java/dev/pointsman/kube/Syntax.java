package dev.pointsman.kube;

import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.dataformat.yaml.YAMLFactory;

/// What a text is written in.
enum Syntax {
    JSON,
    YAML,
    /// What `kubectl get` prints for people. Nothing can be read from it.
    TABLE;

    /// How many characters of a text decide.
    static final int LOOKAHEAD = 4096;

    // NAME and NAMESPACE are the first columns of every table that kubectl prints.
    private static final Pattern TABLE_HEAD = Pattern.compile("NAME(SPACE)?\\s+[A-Z][A-Z-]*\\s.*");

    // Lengths are left to GuardedInput, which counts per token: a document may be as long as it
    // likes.
    private static final StreamReadConstraints CONSTRAINTS =
            StreamReadConstraints.builder()
                    .maxDocumentLength(-1)
                    .maxTokenCount(-1)
                    .maxStringLength(2 * GuardedInput.LONGEST_TOKEN)
                    // What nobody reads is left out without recursion, so this only bounds memory.
                    .maxNestingDepth(10_000)
                    .build();
    private static final TokenStreamFactory JSON_FACTORY =
            JsonFactory.builder().streamReadConstraints(CONSTRAINTS).build();
    private static final TokenStreamFactory YAML_FACTORY =
            YAMLFactory.builder()
                    .streamReadConstraints(CONSTRAINTS)
                    .loadSettings(
                            LoadSettings.builder()
                                    .setAllowDuplicateKeys(true)
                                    .setCodePointLimit(Integer.MAX_VALUE)
                                    // It copies all it holds with every bufferful: with the usual
                                    // 1 KiB, a value of 4 MiB takes seven seconds.
                                    .setBufferSize(1 << 16)
                                    .build())
                    .build();

    /// What a text that begins with `head` is written in.
    static Syntax of(String head) {
        String text = head.stripLeading();
        if (text.startsWith("{") || text.startsWith("[")) {
            return JSON;
        }
        return TABLE_HEAD.matcher(text.lines().findFirst().orElse("")).matches() ? TABLE : YAML;
    }

    /// A parser for `text`.
    JsonParser parser(SourceText text) {
        TokenStreamFactory factory =
                switch (this) {
                    case JSON -> JSON_FACTORY;
                    case YAML, TABLE -> YAML_FACTORY;
                };
        return factory.createParser(ObjectReadContext.empty(), text);
    }

    /// A parser for JSON in UTF-8.
    static JsonParser json(GuardedInput input) {
        return JSON_FACTORY.createParser(ObjectReadContext.empty(), (InputStream) input);
    }

    /// Older PowerShells write UTF-16 when output is redirected into a file.
    static Charset charset(byte[] head) {
        int mark = head.length < 2 ? 0 : (head[0] & 0xff) << 8 | head[1] & 0xff;
        return mark == 0xfeff || mark == 0xfffe ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8;
    }
}
