const FENCE = /^ {0,3}(?:```|~~~)/;
const HEADING = /^ {0,3}#{1,6}\s+(.+?)(?:\s+#+)?\s*$/;
const LINK = /!?\[([^\]]*)\]\([^)]*\)/g;
/** What an anchor leaves out: everything but letters, marks, numbers, connectors such as `_`, hyphens and spaces. */
const LEFT_OUT = /[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu;

/** Anchors of a Markdown page's headings as GitHub makes them. A heading that stands twice gets `-1` behind its second anchor. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  let isCode = false;
  for (const line of markdown.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode;
    const heading = isCode ? undefined : HEADING.exec(line)?.[1];
    if (heading === undefined) continue;
    const anchor = heading.replace(LINK, '$1').toLowerCase().replace(LEFT_OUT, '').replaceAll(' ', '-');
    let unique = anchor;
    for (let n = 1; anchors.has(unique); n += 1) unique = `${anchor}-${n}`;
    anchors.add(unique);
  }
  return anchors;
}
