/** Patterns of values that vary, by tag. */
export type Patterns = ReadonlyMap<string, RegExp>;

/** Reads `tag=pattern` lines. */
export function readPatterns(text: string): Patterns {
  const lines = text.split(/\r?\n/).filter((line) => line.includes('='));
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf('=')), new RegExp(`^(?:${line.slice(line.indexOf('=') + 1)})`)]),
  );
}

/** Says where a message differs from the expected one, in count, order or value of its fields; null when it does not. */
export function differenceOf(expected: string, received: string, patterns: Patterns): string | null {
  const wanted = fieldsOf(expected);
  const found = fieldsOf(received);
  for (const [at, [tag, value]] of wanted.entries()) {
    const [foundTag, foundValue = ''] = found[at] ?? [];
    if (foundTag !== tag) return `field ${at + 1} is ${foundTag ?? 'missing'}, not ${tag}`;
    const pattern = patterns.get(tag);
    if (pattern === undefined ? foundValue !== value : !pattern.test(foundValue))
      return `field ${tag} is ${foundValue}, not ${value}`;
  }
  return found.length === wanted.length ? null : `there are ${found.length} fields, not ${wanted.length}`;
}

function fieldsOf(message: string): [tag: string, value: string][] {
  const fields = message.split('\x01');
  fields.pop();
  return fields.map((field) => [field.slice(0, field.indexOf('=')), field.slice(field.indexOf('=') + 1)]);
}
