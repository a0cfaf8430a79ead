// The style of every page. Series colours c0..c5 stay apart for the common kinds of colour
// blindness (after Okabe and Ito, darkened on white to 3:1); the text on them has at least 4.5:1.
#pragma once

#include <string_view>

namespace rollover {

inline constexpr std::string_view kPageStyle = R"css(
:root{--bg:#fafaf8;--panel:#fff;--fg:#1c1e21;--muted:#5a6068;--line:#d9dbde;--grid:#e6e8ea;
--held:#0a6847;--heldbg:#e3f3ec;--broken:#a8201a;--brokenbg:#fceceb;--open:#7a5200;--openbg:#fbf1dc;
--c0:#0072b2;--on0:#fff;--c1:#cc8400;--on1:#1c1e21;--c2:#00875f;--on2:#fff;--c3:#b4558c;--on3:#fff;
--c4:#c84b00;--on4:#fff;--c5:#6b7280;--on5:#fff;--limit:#a8201a;--fault:#c84b00;
--h1:#e3eef6;--h2:#bcd8ea;--h3:#86b8d9;--h4:#3f8fc0;--h5:#005a8e;--t1:#1c1e21;--t4:#fff}
@media (prefers-color-scheme:dark){:root{--bg:#15171a;--panel:#1d2024;--fg:#e9eaec;--muted:#a3aab3;
--line:#383d44;--grid:#2b2f35;--held:#6fd3a8;--heldbg:#153428;--broken:#ff9a92;--brokenbg:#421b19;
--open:#f0c36a;--openbg:#3a2c10;--c0:#56a9dd;--on0:#10151a;--c1:#e0a030;--on1:#1c1e21;--c2:#2fbf95;
--on2:#10151a;--c3:#dd92be;--on3:#10151a;--c4:#f0854a;--on4:#10151a;--c5:#9aa3ad;--on5:#10151a;
--limit:#ff9a92;--fault:#f0854a;--h1:#1f2f3b;--h2:#24475f;--h3:#2b6389;--h4:#4c9fd3;--h5:#9ad0f2;
--t1:#e9eaec;--t4:#10151a}}
@media print{:root{--bg:#fff;--panel:#fff;--fg:#000;--muted:#444;--line:#bbb;--grid:#ddd;
--held:#0a6847;--heldbg:#fff;--broken:#a8201a;--brokenbg:#fff;--open:#7a5200;--openbg:#fff;
--c0:#0072b2;--on0:#fff;--c1:#cc8400;--on1:#1c1e21;--c2:#00875f;--c3:#b4558c;--c4:#c84b00;
--c5:#6b7280;--limit:#a8201a;--fault:#c84b00;--h1:#e3eef6;--h2:#bcd8ea;--h3:#86b8d9;--h4:#3f8fc0;
--h5:#005a8e;--t1:#1c1e21;--t4:#fff}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
figure,article,.facts,.group{break-inside:avoid}h2{break-after:avoid}
.scroll{overflow:visible!important}table{font-size:8px!important}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--fg);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif}
main{max-width:1024px;margin:0 auto;padding:28px 24px 64px}
header{border-left:5px solid;padding:2px 0 2px 18px;margin-bottom:28px}
header.held{border-color:var(--held)}header.broken{border-color:var(--broken)}
header.open{border-color:var(--open)}
.kicker{margin:0 0 6px;max-width:none;color:var(--muted);font-size:14px;overflow-wrap:anywhere}
.badge{display:inline-block;font-weight:700;font-size:12px;letter-spacing:.06em;padding:1px 8px;
border-radius:4px;margin-right:4px;color:var(--held);background:var(--heldbg)}
.broken .badge{color:var(--broken);background:var(--brokenbg)}
.open .badge{color:var(--open);background:var(--openbg)}
h1{font-size:26px;line-height:1.3;margin:0;font-weight:650;text-wrap:balance;overflow-wrap:anywhere}
.lead{margin:8px 0 0;color:var(--muted);max-width:46em;overflow-wrap:anywhere}
h2{font-size:18px;margin:40px 0 12px;font-weight:650}
h3{font-size:16px;margin:0 0 6px}
p{margin:0 0 8px;max-width:46em}
small,.note{color:var(--muted);font-size:13px}
a{color:inherit}
.facts{display:flex;flex-wrap:wrap;gap:1px;margin:0;
background:var(--line);border:1px solid var(--line);border-radius:6px;overflow:hidden}
.facts div{flex:1 1 168px;background:var(--panel);padding:9px 13px}
.facts dt{color:var(--muted);font-size:13px}
.facts dd{margin:0;font-weight:600;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.facts small{display:block;font-weight:400;line-height:1.35}
figure{margin:0;background:var(--panel);border:1px solid var(--line);border-radius:6px;
padding:14px 16px 10px;min-width:0}
figure+figure,.grid+figure,figure+.note{margin-top:16px}
.grid{display:grid;grid-template-columns:1fr 1fr;gap:16px;margin-top:16px}
.grid figure{margin:0;display:flex;flex-direction:column}.grid figure svg{margin-top:auto}
figcaption{font-size:13px;color:var(--muted);margin-bottom:8px;line-height:1.4}
figcaption b{color:var(--fg);font-size:15px;font-weight:650;margin-right:4px}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:2px 16px;margin:0 0 8px;padding:0;font-size:13px}
.legend i{display:inline-block;width:11px;height:11px;border-radius:2px;margin-right:6px}
.legend i.dash{height:0;border-radius:0;border-top:2px dashed var(--limit);vertical-align:3px;width:16px}
svg{display:block;width:100%;height:auto;font:12px system-ui,-apple-system,"Segoe UI",Roboto,
"Noto Sans","DejaVu Sans",sans-serif;font-variant-numeric:tabular-nums}
svg text{fill:var(--muted)}
svg .limit-text{fill:var(--limit);font-weight:600}
svg .strong{fill:var(--fg)}
.gridline{stroke:var(--grid);stroke-width:1}.base{stroke:var(--muted);stroke-width:1}
.f0{fill:var(--c0);background:var(--c0)}.f1{fill:var(--c1);background:var(--c1)}
.f2{fill:var(--c2);background:var(--c2)}.f3{fill:var(--c3);background:var(--c3)}
.f4{fill:var(--c4);background:var(--c4)}.f5{fill:var(--c5);background:var(--c5)}
.s0{stroke:var(--c0)}.s1{stroke:var(--c1)}.s2{stroke:var(--c2)}.s3{stroke:var(--c3)}
.s4{stroke:var(--c4)}.s5{stroke:var(--c5)}
svg .o0{fill:var(--on0)}svg .o1{fill:var(--on1)}svg .o2{fill:var(--on2)}svg .o3{fill:var(--on3)}
svg .o4{fill:var(--on4)}svg .o5{fill:var(--on5)}
.edge{fill:none;stroke-width:1.5;stroke-linejoin:round}
.band{opacity:.3}
.limit{fill:none;stroke:var(--limit);stroke-width:1.5;stroke-dasharray:5 3}
.fault{fill:var(--fault)}
.narrow{display:none}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:6px;background:var(--panel)}
table{border-collapse:collapse;width:100%;font-size:13px;font-variant-numeric:tabular-nums}
th,td{padding:5px 9px;text-align:right;border-bottom:1px solid var(--grid);vertical-align:top}
tbody tr:last-child td{border-bottom:0}
th{color:var(--muted);font-weight:600;vertical-align:bottom;line-height:1.25}
td{white-space:nowrap}
.text{text-align:left}td.text{white-space:normal}
td.text+td.text{overflow-wrap:anywhere}
td.zero,.zero{color:var(--muted)}
#checkpoints{font-size:12px}#checkpoints th,#checkpoints td{padding:5px}
td code,p code{font:inherit;font-weight:600}
.heat th,.heat td{text-align:center;padding:5px 4px}
.heat th:first-child,.heat td:first-child{text-align:left;padding-left:9px;white-space:nowrap}
.heat .x{color:var(--muted)}
.h1,.h2,.h3{color:var(--t1)}.h4,.h5{color:var(--t4)}
.h1{background:var(--h1)}.h2{background:var(--h2)}.h3{background:var(--h3)}
.h4{background:var(--h4)}.h5{background:var(--h5)}
.meter{display:block;height:8px;border-radius:2px;background:var(--c0);min-width:1px}
#faults td:last-child{width:62%;vertical-align:middle}
.breakline{stroke:var(--limit);stroke-width:2}svg .broke,.broken-swatch{fill:var(--limit);
background:var(--limit)}
.gone{fill:none;stroke:var(--limit);stroke-width:1.5;stroke-dasharray:4 2}
.new{fill:none;stroke:var(--fg);stroke-width:1.5}
.key{padding:0 5px;border-radius:3px}.key.f0{color:var(--on0)}.key.f1{color:var(--on1)}
.timeline ol{list-style:none;margin:0;padding:0}
.group{border-top:1px solid var(--line);padding:10px 0 12px}
.group h3{font-size:14px;margin:0 0 4px}.hit{color:var(--fault)}
.timeline li{display:grid;grid-template-columns:64px 72px minmax(0,1fr);font-size:13px;line-height:1.45}
.no{color:var(--muted);text-align:right;padding-right:10px;font-variant-numeric:tabular-nums;
white-space:nowrap;font-size:12px}
.lanes{display:grid;grid-template-columns:repeat(4,16px)}
.lanes i{position:relative}
.lanes .bar{background:linear-gradient(90deg,transparent 4px,var(--c0) 4px,var(--c0) 12px,transparent 12px)}
.lanes i[data-on]::after{content:"";position:absolute;left:3px;top:5px;width:10px;height:10px;
border-radius:5px;background:var(--c5);box-shadow:0 0 0 2px var(--bg)}
.k-commit i[data-on]::after,.k-write i[data-on]::after,.k-event i[data-on]::after{background:var(--c2)}
.k-read i[data-on]::after{background:var(--c3)}
.k-fault i[data-on]::after,.k-fail i[data-on]::after{background:var(--fault);border-radius:1px}
.k-fault .say,.k-fault b,.k-roll-back b{color:var(--fault);font-weight:600}
.say{overflow-wrap:anywhere;min-width:0}.say b{font-weight:600;color:var(--muted)}
.k-commit b{color:var(--fg)}
.timeline li.picture{display:block;padding:6px 0 8px 136px}
.picture>div{max-width:390px}.picture p{margin:2px 0 0;font-size:13px;color:var(--muted)}
.picture .failure{max-width:none;margin:4px 0}.picture .failure p{color:var(--fg);font-size:14px}
.alone li.picture{padding-left:0}
.bad{color:var(--broken);font-weight:600}
.failure{border:1px solid var(--broken);border-left-width:5px;border-radius:6px;
background:var(--panel);padding:12px 16px;margin:0 0 12px}
.failure h3{color:var(--broken)}
.failure p{overflow-wrap:anywhere}
.failure.gone-by{border-color:var(--line)}.failure.gone-by h3{color:var(--muted)}
.what{font-weight:600}
#parts td:nth-child(4){width:14%;min-width:60px;vertical-align:middle}#parts td:first-child{white-space:nowrap}
#trends .scroll{margin-top:16px}
pre.command{font:13px/1.5 ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;margin:0;
padding:10px 14px;background:var(--panel);border:1px solid var(--line);border-radius:6px;
white-space:pre-wrap;overflow-wrap:anywhere}
@media (max-width:760px){main{padding:18px 12px 48px}header{padding-left:12px}h1{font-size:20px}
.wide{display:none}.narrow{display:block}.grid{grid-template-columns:1fr}
th,td{padding:4px 5px}table{font-size:12px}
#parts td:nth-child(4),#parts th:nth-child(4){display:none}
.timeline li{grid-template-columns:46px 66px minmax(0,1fr)}
.timeline li.picture{padding-left:0}.no{padding-right:6px;font-size:11px}
figure{padding:12px 10px 8px}h2{margin-top:30px}
.facts div{flex-basis:140px}}
@media print{.wide{display:block}.narrow{display:none}.grid{grid-template-columns:1fr 1fr}
main{max-width:none;padding:0}}
)css";

}  // namespace rollover
