/** Of every page: one column from 320 px on, light and dark, the focus always seen. */
export const STYLE_SHEET = `
:root { color-scheme: light dark; --text: #1a1a1a; --soft: #555; --ground: #fff; --line: #767676; --strong: #0b5cad; --on-strong: #fff; --wrong: #b00020; }
@media (prefers-color-scheme: dark) {
  :root { --text: #eee; --soft: #b5b5b5; --ground: #16181c; --line: #8a8f98; --strong: #8ab8f0; --on-strong: #0b1726; --wrong: #ff9aa8; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem 1rem; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 30rem; margin: 0 auto; overflow-wrap: anywhere; }
a { color: var(--strong); }
h1 { font-size: 1.4rem; line-height: 1.25; }
h2, legend { font-size: 1.05rem; font-weight: 600; }
fieldset { margin: 1rem 0; padding: .75rem; border: 1px solid var(--line); border-radius: .4rem; }
label { display: block; margin-top: .9rem; font-weight: 600; }
label.choice { display: flex; gap: .6rem; align-items: flex-start; font-weight: 400; }
label.choice input { width: 1.25rem; height: 1.25rem; flex: none; margin-top: .15rem; }
input:not([type=checkbox]), select, textarea { width: 100%; margin-top: .3rem; min-height: 2.75rem; padding: .5rem .6rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .4rem; }
input[aria-invalid=true], select[aria-invalid=true], textarea[aria-invalid=true] { border: 2px solid var(--wrong); }
button { width: 100%; min-height: 2.75rem; margin-top: 1rem; font: inherit; font-weight: 600; border: 1px solid var(--strong); border-radius: .4rem; background: var(--strong); color: var(--on-strong); cursor: pointer; }
button.plain { background: transparent; color: var(--strong); }
:focus-visible { outline: 3px solid var(--strong); outline-offset: 2px; }
select option { background: var(--ground); }
.hint { margin: .25rem 0 0; color: var(--soft); font-size: .9rem; }
.wrong { margin: .25rem 0 0; color: var(--wrong); font-weight: 600; }
button.small { width: auto; min-height: 2.25rem; margin-top: .4rem; padding: .25rem .9rem; font-size: .95rem; }
form[hidden] { display: none; }
hr { margin: 1.5rem 0; border: 0; border-top: 1px solid var(--line); }
section { margin-top: 2rem; padding-top: .5rem; border-top: 1px solid var(--line); }
ul.things { padding: 0; list-style: none; } ul.things > li { margin: .8rem 0; padding: .75rem; border: 1px solid var(--line); border-radius: .4rem; }
ul.things p { margin: 0; } ol.codes { columns: 2 9rem; font: 600 1rem/1.9 ui-monospace, monospace; overflow-wrap: normal; }
.done { padding: .6rem .75rem; border: 2px solid var(--strong); border-radius: .4rem; font-weight: 600; }
.qr { width: 13rem; max-width: 100%; padding: .5rem; background: #fff; } .qr svg { display: block; width: 100%; height: auto; }
code { font: 600 .95rem/1.6 ui-monospace, monospace; }
dl { margin: 1rem 0; } dt { color: var(--soft); font-size: .9rem; } dd { margin: 0 0 .6rem; }
`;
