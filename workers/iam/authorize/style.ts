/** Of every page: the console's colours and sizes (`web/src/styles/tokens.css`), one column from 320 px on, light and dark, the focus always seen. */
export const STYLE_SHEET = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f6f6f3, #0e100f); --surface: light-dark(#fff, #161817); --sunken: light-dark(#f0f0ec, #101211); --hover: light-dark(#f3f3ef, #1d201e);
  --line: light-dark(#e3e3dd, #2a2d2b); --line-strong: light-dark(#cbcbc4, #3d413e); --field-line: light-dark(#83857f, #777c78);
  --text: light-dark(#181a19, #e8eae7); --soft: light-dark(#4d504c, #b3b7b2);
  --accent: light-dark(#1d4cbf, #93b2ff); --fill: light-dark(#1d4cbf, #3a63d6); --fill-hover: light-dark(#173f9f, #456cdc); --accent-soft: light-dark(#e8eefc, #1a2440);
  --up: light-dark(#08703f, #55c892); --up-soft: light-dark(#e2f2e9, #11271c); --wrong: light-dark(#b8202d, #ff8a88);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 400 1rem/1.5 "IBM Plex Sans Variable", "IBM Plex Sans", system-ui, sans-serif; }
header { height: 3rem; padding: 0 1rem; display: flex; align-items: center; background: var(--surface); border-bottom: 1px solid var(--line); font-size: .875rem; font-weight: 600; }
header a { color: var(--text); text-decoration: none; } header a:hover { text-decoration: underline; }
main { max-width: 30rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; overflow-wrap: anywhere; hyphens: auto; }
@media (min-width: 40rem) {
  main { max-width: 34rem; margin: 3rem auto; padding: 2rem; background: var(--surface); border: 1px solid var(--line); border-radius: 6px; }
}
a { color: var(--accent); }
h1 { margin: 0 0 .75rem; font-size: 1.75rem; line-height: 2.25rem; font-weight: 600; }
h2, legend { font-size: 1.25rem; line-height: 1.75rem; font-weight: 600; }
legend.small { font-size: .875rem; line-height: 1.25rem; }
h2 { margin: 1.5rem 0 .5rem; }
summary { min-height: 3rem; padding: .75rem 0 0; cursor: pointer; font-weight: 500; } details { margin-top: 1rem; }
details.row { padding: 0 1rem .25rem; border: 1px solid var(--line-strong); border-radius: 4px; } details.row[open] { padding-bottom: 1rem; }
fieldset { min-width: 0; margin: 1rem 0; padding: .75rem 1rem 1rem; border: 1px solid var(--line-strong); border-radius: 4px; }
label { display: block; margin-top: 1rem; font-size: .875rem; font-weight: 500; }
label.choice { display: flex; gap: .75rem; align-items: flex-start; font-size: 1rem; font-weight: 400; }
label.choice input { width: 1.25rem; height: 1.25rem; flex: none; margin: .15rem 0 0; accent-color: var(--fill); }
input:not([type=checkbox]), select, textarea { width: 100%; margin-top: .25rem; min-height: 3rem; padding: .5rem .75rem; font: inherit; font-size: 1rem; color: inherit; background: var(--surface); border: 1px solid var(--field-line); border-radius: 4px; }
input[type=file] { padding: .6rem; }
input[type=file]::file-selector-button { margin-right: .75rem; padding: .25rem .75rem; font: inherit; font-weight: 500; color: var(--text); background: var(--sunken); border: 1px solid var(--line-strong); border-radius: 4px; }
input[aria-invalid=true], select[aria-invalid=true], textarea[aria-invalid=true] { border: 2px solid var(--wrong); }
button { width: 100%; min-height: 3rem; margin-top: 1rem; padding: .5rem 1rem; font: inherit; font-weight: 500; border: 1px solid var(--fill); border-radius: 4px; background: var(--fill); color: #fff; cursor: pointer; }
button:hover { background: var(--fill-hover); }
button.plain { border-color: var(--line-strong); background: var(--surface); color: var(--text); }
button.plain:hover { background: var(--hover); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
select option { background: var(--surface); }
p { margin: .75rem 0; }
.hint { margin: .25rem 0 0; color: var(--soft); font-size: .875rem; line-height: 1.25rem; }
.hint:empty, .wrong:empty { display: none; }
.wrong { margin: .25rem 0 0; color: var(--wrong); font-size: .875rem; font-weight: 500; }
button.small { width: auto; min-height: 2.25rem; margin-top: .5rem; padding: .25rem 1rem; font-size: .875rem; }
form[hidden] { display: none; }
hr { margin: 1.5rem 0; border: 0; border-top: 1px solid var(--line); }
section { margin-top: 2rem; padding-top: .5rem; border-top: 1px solid var(--line); }
ul.things { padding: 0; list-style: none; } ul.things:empty { display: none; } ul.things > li { margin: .75rem 0; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: 4px; }
ul.things p { margin: 0; } ol.codes, code { hyphens: none; } ol.codes { columns: 2 9rem; font: 600 1rem/1.9 ui-monospace, monospace; overflow-wrap: normal; }
.done { padding: .75rem 1rem; background: var(--up-soft); color: var(--up); border-radius: 4px; font-weight: 500; }
.qr { width: 13rem; max-width: 100%; padding: .5rem; background: #fff; } .qr svg { display: block; width: 100%; height: auto; }
code { font: 600 .95rem/1.6 ui-monospace, monospace; }
blockquote { margin: .75rem 0; padding: .25rem 0 .25rem 1rem; border-left: 3px solid var(--line-strong); }
dl { margin: 1rem 0; } dt { color: var(--soft); font-size: .875rem; } dd { margin: 0 0 .75rem; }
`;
