package io.holdfast.lock.tests.models;

import java.nio.file.Files;
import java.nio.file.Path;

/** The page about the models. */
record ModelsPage(Path file) {

    /** The page of the project that a directory is in. */
    static ModelsPage find(Path inside) {
        Path directory = inside.toAbsolutePath();
        while (!Files.exists(directory.resolve("docs/builders/models.md"))) {
            directory = directory.getParent();
            if (directory == null) {
                throw new IllegalStateException("not inside the project: " + inside.toAbsolutePath());
            }
        }
        return new ModelsPage(directory.resolve("docs/builders/models.md"));
    }
}
