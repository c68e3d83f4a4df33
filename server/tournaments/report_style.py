"""How a report looks, and the little that moves in it."""

__all__ = ["SCRIPT", "STYLE"]

STYLE = """
:root { --ink: #1c2330; --soft: #5b6576; --line: #dde2ea; --paper: #f5f7fa; --card: #ffffff; --main: #2458b8;
  --more: 36, 88, 184;
  --less: 196, 92, 22; color-scheme: light dark; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf1; --soft: #a3adbd; --line: #343c4a; --paper: #12161d;
  --card: #1a202a;
  --main: #84aef8; --more: 104, 154, 248; --less: 236, 140, 70; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
header, main, footer { max-width: 68rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2.25rem; padding-bottom: .5rem; }
h1 { font-size: clamp(1.5rem, 4vw, 2.1rem); line-height: 1.2; margin: 0 0 .35rem; letter-spacing: -.01em; }
h2 { font-size: 1.15rem; margin: 0 0 .25rem; }
header p, .help, footer { color: var(--soft); margin: 0 0 .75rem; }
.help { font-size: .92rem; max-width: 48rem; }
.headline { font-size: 1.1rem; color: var(--ink); margin: .6rem 0; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.1rem 1.25rem 1.25rem;
  margin: 1rem 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem; }
table.wide { width: 100%; }
th, td { padding: .42rem .6rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
thead th { color: var(--soft); font-weight: 500; font-size: .82rem; vertical-align: bottom; white-space: normal; }
tbody tr:last-child > * { border-bottom: 0; }
th[scope=row], thead th:first-child, td.names, .games thead th { text-align: left; }
.ratings thead th:nth-child(-n+2) { text-align: left; }
th[scope=row] { font-weight: 600; white-space: normal; min-width: 12.5rem; }
td.names { white-space: normal; min-width: 8em; }
td.rank, span.rank { color: var(--soft); text-align: right; font-weight: 400; }
.bot { overflow-wrap: anywhere; }
td.chart { width: 40%; min-width: 11rem; padding-top: 0; padding-bottom: 0; }
svg { display: block; width: 100%; overflow: visible; }
svg.track { height: 2.5rem; } svg.axis { height: 1rem; } svg.meter { height: 1.6rem; } svg.histogram { height: 6.5rem; }
.grid { stroke: var(--line); } .mark { stroke: var(--soft); stroke-dasharray: 3 3; } .base { stroke: var(--soft); }
.whisker { stroke: var(--main); stroke-width: 2; } .dot, .bar { fill: var(--main); }
.axis text { fill: var(--soft); font-size: .75rem; }
.heatmap td { text-align: center; min-width: 3.6rem; border: 2px solid var(--card); border-radius: 6px; }
.heatmap thead th { text-align: center; } .heatmap th[scope=row] { border: 0; }
.heatmap thead th:first-child { text-align: left; }
.heat.more { background: rgba(var(--more), var(--strength)); } .heat.less { background: rgba(var(--less), var(--strength)); }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1.25rem; margin: .5rem 0 1rem; }
figure { margin: 0; } figcaption { font-size: .88rem; margin-top: .35rem; }
details { margin-top: .9rem; } summary { cursor: pointer; color: var(--main); font-size: .92rem; }
code { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, monospace; font-size: .85em; overflow-wrap: anywhere; }
.lookup { display: flex; flex-wrap: wrap; gap: .5rem .9rem; align-items: center; margin: .25rem 0 1rem; padding: .7rem .9rem;
  border: 1px solid var(--line); border-radius: 8px; }
input, button { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line);
  border-radius: 6px; padding: .2rem .5rem; }
input { width: 6.5rem; } button { cursor: pointer; }
footer { font-size: .88rem; padding-bottom: 2.5rem; }
@media (max-width: 44rem) { header, main, footer { padding-left: .75rem; padding-right: .75rem; }
  section { padding: .9rem .8rem; }
  th, td { padding: .38rem .4rem; } td.chart { min-width: 9rem; }
  .axis text:nth-child(even) { display: none; }
  th[scope=row] { min-width: 6.5rem; font-size: .85rem; }
  .heatmap th[scope=row] { min-width: 8rem; } }
@media print { section { break-inside: avoid; } body { background: none; } }
"""

SCRIPT = """
(function () {
  var form = document.querySelector(".lookup"), code = form.querySelector("code"), button = form.querySelector("button");
  function show() {
    var deal = Math.max(0, Math.trunc(+form.deal.value || 0)), seating = Math.max(0, Math.trunc(+form.seating.value || 0));
    code.textContent = "machiavel replay games.jsonl --deal " + deal + " --seating " + seating;
  }
  form.addEventListener("input", show);
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  if (navigator.clipboard) {
    button.hidden = false;
    button.addEventListener("click", function () { navigator.clipboard.writeText(code.textContent); });
  }
  show();
})();
"""
