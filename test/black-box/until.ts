import { setTimeout as wait } from 'node:timers/promises';

const SHOWN_MAX = 4_000;

/**
 * Looks again until what it sees is right. A look that fails is one that saw its error.
 *
 * @throws Error with what was seen last, where it is not so in time
 */
export async function until<Seen>(
  what: string,
  look: () => Seen | Promise<Seen>,
  isSo: (seen: Seen) => boolean,
  { within_ms = 90_000, every_ms = 250 }: { readonly within_ms?: number; readonly every_ms?: number } = {},
): Promise<Seen> {
  const deadline = Date.now() + within_ms;
  for (;;) {
    let last: unknown;
    try {
      const seen = await look();
      if (isSo(seen)) return seen;
      last = seen;
    } catch (error) {
      last = String(error);
    }
    if (Date.now() > deadline) throw new Error(`${what}: not so within ${within_ms} ms; last seen: ${shown(last)}`);
    await wait(every_ms);
  }
}

/** The end of a long text, where a log says why it stopped. */
function shown(seen: unknown): string {
  const text = typeof seen === 'string' ? seen : (JSON.stringify(seen) ?? String(seen));
  return text.length > SHOWN_MAX ? `… ${text.slice(-SHOWN_MAX)}` : text;
}
