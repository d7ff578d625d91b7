/**
 * Lua scripts as a server runs them: {@code LuaScripts} interprets them with LuaJ, {@code Commands} are what they call, and
 * {@code StoredData} is what those change. The stores of {@code memory} are made of these, and so are the simulated servers of the
 * project's own tests. May import the SPI and LuaJ.
 */
@NullMarked
package io.holdfast.lock.memory.script;

import org.jspecify.annotations.NullMarked;
