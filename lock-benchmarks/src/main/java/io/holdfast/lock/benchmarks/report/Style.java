package io.holdfast.lock.benchmarks.report;

import io.holdfast.lock.benchmarks.peer.PeerKind;

/** The page's style sheet, and how its classes are called. Each peer has one colour everywhere. */
final class Style {

    private Style() {}

    /** The class of a peer's colour. */
    static String of(PeerKind peer) {
        return "p-" + peer.id();
    }

    /** The class of a peer's line. */
    static String line(PeerKind peer) {
        return "curve c-" + peer.id();
    }

    /** Everything that the page needs to look right, in light and in dark, on a desk and on a telephone. */
    static String sheet() {
        StringBuilder sheet = new StringBuilder(SHEET);
        for (PeerKind peer : PeerKind.values()) {
            sheet.append(".p-%1$s{fill:var(--%1$s)}.c-%1$s{stroke:var(--%1$s)}.k-%1$s{background:var(--%1$s)}\n"
                    .formatted(peer.id()));
        }
        return sheet.toString();
    }

    private static final String SHEET =
            """
            :root{color-scheme:light dark;--paper:#fff;--card:#f7f8fa;--ink:#1b1f27;--faint:#5d6675;--rule:#dde1e8;
              --good:#1a7f37;--bad:#c0341d;--goodbg:#e6f4ea;--badbg:#fdebe7;
              --holdfast:#1f5fd6;--meters:#0b8793;--spans:#5a4fcf;--redisson:#d9480f;--lettuce:#2b8a3e;--jedis:#8039c4;--socket:#7a8494;
              --pipeline:#4a5260;--redis-benchmark:#a8741a}
            @media (prefers-color-scheme:dark){:root{--paper:#12151b;--card:#1a1f28;--ink:#e6e9ef;--faint:#9aa4b4;
              --rule:#303846;--good:#57c279;--bad:#ff8a70;--goodbg:#16301f;--badbg:#3a1d17;
              --holdfast:#6ba1ff;--meters:#4cc3cf;--spans:#a49bff;--redisson:#ff8a4c;--lettuce:#5cc774;--jedis:#bd8bf2;--socket:#8d97a8;
              --pipeline:#c3cad6;--redis-benchmark:#d9a441}}
            *{box-sizing:border-box}
            body{margin:0;background:var(--paper);color:var(--ink);
              font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
            main{max-width:1120px;margin:0 auto;padding:24px 16px 64px}
            h1{font-size:1.75rem;line-height:1.2;margin:8px 0 4px}
            h2{font-size:1.3rem;margin:44px 0 4px;padding-top:12px;border-top:1px solid var(--rule)}
            h3{font-size:1.02rem;margin:0 0 2px}
            p{margin:4px 0 12px;max-width:72ch}
            a{color:var(--holdfast)}
            .lead{font-size:1.05rem}.faint,figcaption,.card p{color:var(--faint)}
            nav{margin:12px 0 0;display:flex;flex-wrap:wrap;gap:4px 14px;font-size:.92rem}
            .cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,460px),1fr));gap:16px;margin:12px 0}
            .card{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:14px 16px;min-width:0}
            .card p{font-size:.88rem;margin:2px 0 10px}
            .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(170px,1fr));gap:12px;margin:16px 0}
            .tile{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:12px 14px}
            .tile b{display:block;font-size:1.7rem;line-height:1.15;font-variant-numeric:tabular-nums}
            .tile span{font-size:.85rem;color:var(--faint)}
            figure{margin:10px 0 0}figcaption{font-size:.84rem;margin:0 0 4px}
            svg{display:block;width:100%;height:auto;max-width:640px;font:13px system-ui,sans-serif}
            svg text{fill:var(--ink)}svg .label,svg .tick{fill:var(--faint)}svg .small{fill:var(--faint);font-size:11px}
            svg .tick{font-size:12px}svg .strong{font-weight:600}svg .value{font-variant-numeric:tabular-nums}
            .frame{fill:none;stroke:var(--rule)}.grid{stroke:var(--rule);stroke-width:1}.axis{stroke:var(--faint);stroke-width:1}
            .whisker{stroke:var(--ink);stroke-width:1.3;opacity:.7}
            .curve{fill:none;stroke-width:2.2;stroke-linejoin:round}
            .c-socket,.c-pipeline{stroke-dasharray:5 4}.c-jedis{stroke-dasharray:9 3}.c-lettuce{stroke-dasharray:2 3}
            .legend{display:flex;flex-wrap:wrap;gap:2px 14px;font-size:.84rem;margin:4px 0}
            .legend i{display:inline-block;width:12px;height:12px;border-radius:3px;margin-right:5px;vertical-align:-1px}
            .scroll{overflow-x:auto}
            table{border-collapse:collapse;font-size:.88rem;width:100%}
            th,td{padding:5px 10px 5px 0;text-align:right;border-bottom:1px solid var(--rule);white-space:nowrap;
              font-variant-numeric:tabular-nums}
            th{color:var(--faint);font-weight:500}th:first-child,td:first-child{text-align:left}
            td.wrap,th.wrap{white-space:normal;text-align:left;min-width:190px}
            .verdict{display:inline-block;border-radius:6px;padding:1px 8px;font-weight:600}
            .met{color:var(--good);background:var(--goodbg)}.missed{color:var(--bad);background:var(--badbg)}
            details{margin-top:10px}summary{cursor:pointer;color:var(--faint);font-size:.88rem}
            dl{display:grid;grid-template-columns:minmax(110px,max-content) 1fr;gap:4px 18px;font-size:.92rem}
            dt{color:var(--faint)}dd{margin:0;overflow-wrap:anywhere}
            @media print{.card,.tile{break-inside:avoid}}
            """;
}
