/** Rows of a CSV by the names of its first line; values without commas and quotes. */
export function parseCsv(text: string, file: string): Readonly<Record<string, string>>[] {
  const [head = '', ...lines] = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const names = head.split(',').map((name) => name.trim());
  return lines.map((line) => {
    const values = line.split(',').map((value) => value.trim());
    if (values.length !== names.length || line.includes('"'))
      throw new Error(`${file}: "${line}" has not the columns ${head}`);
    return Object.fromEntries(names.map((name, at) => [name, values[at]!]));
  });
}
