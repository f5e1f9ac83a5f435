/** One JSON object a line on stdout; LOG_LEVEL=error leaves out the rest. Never pass it image bytes, embeddings or secrets. */
export function log(level: 'info' | 'error', fields: Readonly<Record<string, unknown>>): void {
  if (level === 'info' && process.env.LOG_LEVEL === 'error') return;
  process.stdout.write(
    `${JSON.stringify({ level, time: new Date().toISOString(), service: 'inference', ...fields })}\n`,
  );
}
