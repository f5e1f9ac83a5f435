/** Cells of a Markdown table line, with escaped pipes put back. */
export function cellsOf(line: string): string[] {
  return line
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** Whether the line parts a table's head from its body. */
export function isSeparator(line: string): boolean {
  return /^\|[\s:|-]+\|?\s*$/.test(line);
}
