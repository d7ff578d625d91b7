package io.holdfast.lock.tests.models;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The page about the models; its table is generated. */
record ModelsPage(Path file) {
    private static final String BEGIN = "<!-- table: lock-tests/models --page -->\n";
    private static final String END = "<!-- end of table -->";

    /** The page of the project that a directory is in. */
    static ModelsPage find(Path inside) {
        Path directory = inside.toAbsolutePath();
        while (!Files.exists(directory.resolve("docs/models.md"))) {
            directory = directory.getParent();
            if (directory == null) {
                throw new IllegalStateException("not inside the project: " + inside.toAbsolutePath());
            }
        }
        return new ModelsPage(directory.resolve("docs/models.md"));
    }

    /** The table as it is on the page. */
    String table() throws IOException {
        String text = Files.readString(file);
        return text.substring(text.indexOf(BEGIN) + BEGIN.length(), text.indexOf(END));
    }

    void update() throws IOException {
        String text = Files.readString(file);
        String before = text.substring(0, text.indexOf(BEGIN) + BEGIN.length());
        String after = text.substring(text.indexOf(END));
        Files.writeString(file, before + FindingTable.markdown(Finding.all()) + after);
    }
}
