/** What stands for a value in a title: `%s` and its like, `$name`, and `${…}` of a template. */
const PLACEHOLDER = /%[sdifjoOc#$]|\$\{(?:[^{}]|\{[^{}]*\})*\}|\$[A-Za-z_][\w.]*/g;

/** Whether a title, as it stands in the source, has a place for values. */
export function hasPlaceholder(title: string): boolean {
  return title.search(PLACEHOLDER) !== -1;
}

/** What the titles look like that a title of the source becomes when its tests run. */
export function titlePattern(title: string): RegExp {
  const literals = title
    .split(PLACEHOLDER)
    .map((text) => text.replaceAll('%%', '%').replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literals.join('.*')}$`, 's');
}
