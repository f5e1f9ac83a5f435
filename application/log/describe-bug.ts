/**
 * What a log line says of an exception: name, message and where. Drizzle's own message quotes the bound parameters, so its cause
 * speaks instead: parameters may hold hashes, ciphertexts and phone numbers.
 */
export function describeBug(error: unknown): { error: string; message: string; at: string[] } {
  if (!(error instanceof Error)) return { error: typeof error, message: '', at: [] };
  const told = error.message.startsWith('Failed query:') && error.cause instanceof Error ? error.cause : error;
  const message = told.message.startsWith('Failed query:') ? 'query failed' : told.message;
  const at = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { error: error.name, message, at: at.map((line) => line.trim()).slice(0, FRAMES_MAX) };
}

const FRAMES_MAX = 12;
