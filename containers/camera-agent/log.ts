/** One JSON object a line on stdout. Never pass it secrets, tokens or the credentials in a stream's address. */
export function log(level: 'info' | 'error', fields: Readonly<Record<string, unknown>>): void {
  process.stdout.write(
    `${JSON.stringify({ level, time: new Date().toISOString(), service: 'camera-agent', ...fields })}\n`,
  );
}
