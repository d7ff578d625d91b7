package io.holdfast.lock.netty.resp;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every kind of message and of violation, and what a decoder must make of it. A semicolon stands for a line's end. */
record Sample(String wire, String expected) {

    static final List<Sample> MESSAGES = List.of(
            of("+OK;", "simple OK"),
            of("+;", "simple "),
            of("-NOSCRIPT No matching script.;", "error NOSCRIPT No matching script."),
            of(":0;", "0"),
            of(":-1;", "-1"),
            of(":+7;", "7"),
            of(":9223372036854775807;", "9223372036854775807"),
            of(":-9223372036854775808;", "-9223372036854775808"),
            of("$5;hello;", "\"hello\""),
            of("$0;;", "\"\""),
            of("$2;;;", "\"\r\n\""),
            of("$-1;", "null"),
            of("*-1;", "null"),
            of("*0;", "[]"),
            of("*3;:1;$1;a;*2;+x;$-1;", "[1, \"a\", [simple x, null]]"),
            of("*2;*0;*1;*0;", "[[], [[]]]"),
            of("_;", "null"),
            of("#t;", "true"),
            of("#f;", "false"),
            of(",1.5;", "double 1.5"),
            of(",-0;", "double -0"),
            of(",10E+3;", "double 10E+3"),
            of(",-inf;", "double -inf"),
            of(",nan;", "double nan"),
            of("(3492890328409238509324850943850;", "big_number 3492890328409238509324850943850"),
            of("(-1;", "big_number -1"),
            of("!6;ERR no;", "error ERR no"),
            of("=7;txt:abc;", "\"abc\""),
            of("=4;mkd:;", "\"\""),
            of("%2;+a;:1;+b;*1;:2;", "map [simple a, 1, simple b, [2]]"),
            of("%0;", "map []"),
            of("~2;:1;:1;", "set [1, 1]"),
            of(">3;+message;$1;c;$1;0;", "push [simple message, \"c\", \"0\"]"),
            of("|1;+ttl;:9;:5;", "5"),
            of("|0;:5;", "5"),
            of("|1;*1;%1;:1;:2;~1;:3;*1;:5;", "[5]"),
            of("*2;|1;+ttl;:9;:5;|1;+k;$1;v;:6;", "[5, 6]"),
            of("*1;|2;|1;+in;:1;+a;:2;+b;:3;%1;:1;:2;", "[map [1, 2]]"));

    static final List<Sample> VIOLATIONS = List.of(
            of("HTTP/1.1 400 Bad Request;", "byte 0 of the stream: expected the type of a value, got 'H' (0x48)"),
            of("?;", "byte 0 of the stream: expected the type of a value, got '?' (0x3f)"),
            of(":;", "byte 2 of the stream: an integer that is not a number of 64 bits"),
            of(":-;", "byte 3 of the stream: an integer that is not a number of 64 bits"),
            of(":1x;", "byte 4 of the stream: an integer that is not a number of 64 bits"),
            of(":9223372036854775808;", "byte 21 of the stream: an integer that is not a number of 64 bits"),
            of(":-9223372036854775809;", "byte 22 of the stream: an integer that is not a number of 64 bits"),
            of(":99999999999999999999999999;", "byte 28 of the stream: an integer that is not a number of 64 bits"),
            of("$;", "byte 2 of the stream: a length that is not a number of 64 bits"),
            of("$1a;", "byte 4 of the stream: a length that is not a number of 64 bits"),
            of("$-2;", "byte 4 of the stream: a negative length, type '$' (0x24)"),
            of("*-2;", "byte 4 of the stream: a negative length, type '*' (0x2a)"),
            of("!-1;", "byte 4 of the stream: a negative length, type '!' (0x21)"),
            of("=-1;", "byte 4 of the stream: a negative length, type '=' (0x3d)"),
            of("%-1;", "byte 4 of the stream: a negative length, type '%' (0x25)"),
            of("~-1;", "byte 4 of the stream: a negative length, type '~' (0x7e)"),
            of(">-1;", "byte 4 of the stream: a negative length, type '>' (0x3e)"),
            of("$?;", "byte 3 of the stream: streamed values are not supported, type '$' (0x24)"),
            of("*?;", "byte 3 of the stream: streamed values are not supported, type '*' (0x2a)"),
            of("%?;", "byte 3 of the stream: streamed values are not supported, type '%' (0x25)"),
            of("*1;.;", "byte 4 of the stream: streamed values are not supported, got '.' (0x2e)"),
            of("$1;ab;", "byte 5 of the stream: expected 0x0d, got 'b' (0x62)"),
            of("$1;a\rb;", "byte 6 of the stream: expected 0x0a, got 'b' (0x62)"),
            of("+a\rb;", "byte 3 of the stream: expected 0x0a, got 'b' (0x62)"),
            of("+a\nb;", "byte 2 of the stream: a line feed without a carriage return before it"),
            of("_x;", "byte 3 of the stream: a null that says more, type '_' (0x5f)"),
            of("#T;", "byte 3 of the stream: a boolean that is neither t nor f, type '#' (0x23)"),
            of("#;", "byte 2 of the stream: a boolean that is neither t nor f, type '#' (0x23)"),
            of(",1.5x;", "byte 6 of the stream: a floating-point number that is none, type ',' (0x2c)"),
            of(",0x1p3;", "byte 7 of the stream: a floating-point number that is none, type ',' (0x2c)"),
            of(",1e;", "byte 4 of the stream: a floating-point number that is none, type ',' (0x2c)"),
            of(",;", "byte 2 of the stream: a floating-point number that is none, type ',' (0x2c)"),
            of("(1.5;", "byte 5 of the stream: a big number that is none, type '(' (0x28)"),
            of("(-;", "byte 3 of the stream: a big number that is none, type '(' (0x28)"),
            of("=3;txt;", "byte 3 of the stream: a verbatim string without a format, type '=' (0x3d)"),
            of("=5;txt-a;", "byte 10 of the stream: a verbatim string without a format, type '=' (0x3d)"),
            of("*1;>1;+a;", "byte 4 of the stream: a push inside another value"),
            of(">0;", "byte 3 of the stream: a push that doesn't say what it is, type '>' (0x3e)"));

    static Sample of(String wire, String expected) {
        return new Sample(wire.replace(";", "\r\n"), expected);
    }

    static Stream<Sample> messages() {
        return MESSAGES.stream();
    }

    static Stream<Sample> violations() {
        return VIOLATIONS.stream();
    }

    /** All messages, one after the other. */
    static String stream() {
        return MESSAGES.stream().map(Sample::wire).collect(Collectors.joining());
    }
}
