/** One JSON object a line on stdout. Never pass it messages or credentials: of a key only its id. */
export function log(level: 'info' | 'error', fields: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ level, time: new Date().toISOString(), gateway: 'fix', ...fields })}\n`);
}
