/**
 * The command {@code holdfast}: its subcommands, and where they connect to. Imports the API, picocli and the other packages of
 * this module.
 */
@NullMarked
package io.holdfast.cli;

import org.jspecify.annotations.NullMarked;
