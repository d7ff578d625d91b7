package io.holdfast.lock.netty.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.netty.resp.RespValue.Kind;
import io.holdfast.lock.spi.Script;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

/**
 * What is written can be read, and what is read is what was written: commands and script calls of any parts, and any
 * values of RESP2 and RESP3, in streams that are cut anywhere.
 */
class RoundTripTest {

    /** A value, spelled for the wire, and as {@link Wire#show} shows it. */
    private record Spelled(String wire, String shown) {}

    @Property(tries = 500)
    void aCommandIsReadAsItsParts(@ForAll @Size(min = 1, max = 20) List<byte[]> parts) {
        ByteBuf out = Unpooled.buffer(1);

        RespWriter.command(out, parts.toArray(byte[][]::new));

        RespValue read = Wire.next(new RespDecoder(RespLimits.DEFAULT), out);
        assertThat(read.kind()).isEqualTo(Kind.ARRAY);
        assertThat(bytesFrom(read, 0)).usingRecursiveComparison().isEqualTo(parts);
        assertThat(out.isReadable()).isFalse();
    }

    @Property(tries = 200)
    void aScriptCallIsReadAsItsKeysAndArguments(
            @ForAll @Size(max = 12) List<byte[]> keys,
            @ForAll @Size(max = 12) List<byte[]> args,
            @ForAll @Size(max = 12) List<Long> numbers,
            @ForAll boolean withSource) {
        Script script = new Script("any", "return 'é'");
        TestCall call = TestCall.of(script, to -> {
            keys.forEach(to::key);
            args.forEach(to::arg);
            numbers.forEach(to::arg);
        });
        ByteBuf out = Unpooled.buffer(1);

        if (withSource) {
            new ScriptArgs().eval(out, script, call, 70);
        } else {
            new ScriptArgs().evalsha(out, script, call, 70);
        }

        RespValue read = Wire.next(new RespDecoder(RespLimits.DEFAULT), out);
        assertThat(out.isReadable()).isFalse();
        assertThat(read.text(0)).isEqualTo(withSource ? "EVAL" : "EVALSHA");
        assertThat(read.text(1)).isEqualTo(withSource ? script.source() : script.sha1());
        assertThat(read.integer(2)).isEqualTo(keys.size());
        List<byte[]> expected = new ArrayList<>(keys);
        expected.addAll(args);
        numbers.forEach(number -> expected.add(Long.toString(number).getBytes(StandardCharsets.US_ASCII)));
        expected.add(Wire.bytes("70"));
        assertThat(bytesFrom(read, 3)).usingRecursiveComparison().isEqualTo(expected);
    }

    @Property(tries = 500)
    void aStreamOfValuesIsReadTheSameHoweverItIsCut(
            @ForAll("streams") List<Spelled> values, @ForAll @Size(max = 12) List<Integer> places) {
        byte[] stream = Wire.bytes(values.stream().map(Spelled::wire).collect(Collectors.joining()));
        int[] cuts = places.stream()
                .mapToInt(place -> Math.floorMod(place, stream.length + 1))
                .sorted()
                .toArray();
        List<String> expected = values.stream().map(Spelled::shown).toList();

        assertThat(Wire.decode(RespLimits.DEFAULT, stream)).isEqualTo(expected);
        assertThat(Wire.decode(RespLimits.DEFAULT, stream, cuts)).isEqualTo(expected);
        assertThat(RespFragmentationTest.byteByByte(RespLimits.DEFAULT, stream)).isEqualTo(expected);
    }

    @Provide
    Arbitrary<List<Spelled>> streams() {
        return values(3).list().ofMinSize(1).ofMaxSize(4);
    }

    private static Arbitrary<Spelled> values(int depth) {
        Arbitrary<Spelled> plain = Arbitraries.oneOf(
                Arbitraries.longs().map(number -> new Spelled(":" + number + "\r\n", "" + number)),
                bulks('$', "\"", "\""),
                bulks('!', "error ", ""),
                lines('+', "simple "),
                lines('-', "error "),
                Arbitraries.bigIntegers().map(number -> new Spelled("(" + number + "\r\n", "big_number " + number)),
                Arbitraries.doubles().map(number -> new Spelled("," + number + "\r\n", "double " + number)),
                Arbitraries.of(
                        new Spelled("_\r\n", "null"),
                        new Spelled("$-1\r\n", "null"),
                        new Spelled("*-1\r\n", "null"),
                        new Spelled("#t\r\n", "true"),
                        new Spelled("#f\r\n", "false"),
                        new Spelled("=7\r\ntxt:a\r\n\r\n", "\"a\r\n\"")));
        if (depth == 0) {
            return plain;
        }
        Arbitrary<List<Spelled>> elements =
                Arbitraries.lazy(() -> values(depth - 1)).list().ofMaxSize(4);
        return Arbitraries.oneOf(
                plain,
                elements.map(list -> list('*', list.size(), list, "")),
                elements.map(list -> list('~', list.size(), list, "set ")),
                elements.map(list -> list('%', list.size() / 2, list.subList(0, list.size() / 2 * 2), "map ")));
    }

    private static Spelled list(char type, int length, List<Spelled> elements, String kind) {
        return new Spelled(
                type + "" + length + "\r\n"
                        + elements.stream().map(Spelled::wire).collect(Collectors.joining()),
                kind + elements.stream().map(Spelled::shown).collect(Collectors.joining(", ", "[", "]")));
    }

    private static Arbitrary<Spelled> bulks(char type, String before, String after) {
        return Arbitraries.strings()
                .withCharRange('\u0000', '\u00ff')
                .ofMaxLength(40)
                .map(text -> new Spelled(type + "" + text.length() + "\r\n" + text + "\r\n", before + text + after));
    }

    private static Arbitrary<Spelled> lines(char type, String before) {
        return Arbitraries.strings()
                .withCharRange(' ', '\u00ff')
                .ofMaxLength(20)
                .map(text -> new Spelled(type + text + "\r\n", before + text));
    }

    private static List<byte[]> bytesFrom(RespValue list, int first) {
        return IntStream.range(first, list.size())
                .mapToObj(index -> list.get(index).bytes())
                .toList();
    }
}
