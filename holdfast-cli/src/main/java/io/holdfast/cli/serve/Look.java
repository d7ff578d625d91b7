package io.holdfast.cli.serve;

import java.util.List;
import java.util.Map;

/**
 * A look at a store, as JSON values.
 *
 * @param locks each lock by its name
 * @param nodes the client's connections to the servers
 * @param trouble why the servers could not be asked; empty if they were
 */
public record Look(Map<String, Map<String, Object>> locks, List<Map<String, Object>> nodes, String trouble) {}
