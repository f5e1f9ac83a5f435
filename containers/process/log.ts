export type Log = (level: 'info' | 'error', event: string, fields?: Readonly<Record<string, unknown>>) => void;

/**
 * The log of a container: one JSON object a line, `level`, `time`, `service`, `event` and what belongs to the event. LOG_LEVEL=error leaves
 * out the rest. Never pass it messages, images, embeddings, secrets or tokens: of a key only its id.
 *
 * @param stream standard output, unless that belongs to a protocol
 */
export function logOf(service: string, stream: NodeJS.WritableStream = process.stdout): Log {
  return (level, event, fields = {}) => {
    if (level === 'info' && process.env.LOG_LEVEL === 'error') return;
    stream.write(`${lineOf({ level, time: new Date().toISOString(), service, event, ...fields })}\n`);
  };
}

/** What JSON leaves as it is and a terminal or a reader of lines does not: control characters of C1, and the ends of lines of Unicode. */
const UNESCAPED = /[\x7f-\x9f\u2028\u2029]/g;

function lineOf(record: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(record).replace(
    UNESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
