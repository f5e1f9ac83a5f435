/** One step of an acceptance script. `client` numbers the connection. */
export type Step =
  | { readonly type: 'connect' | 'disconnect' | 'expect_disconnect'; readonly client: number; readonly line: number }
  | { readonly type: 'send' | 'expect'; readonly client: number; readonly line: number; readonly text: string };

const STEP = /^([iIeE])(?:(\d+),)?(.*)$/;

/**
 * Reads a script: `I` a message sent, `E` one expected, `i` and `e` what happens to a connection, each with the number of its client when
 * there are several; `^A` stands for SOH; other lines say nothing.
 */
export function readScript(text: string): Step[] {
  return text.split(/\r?\n/).flatMap((raw, index): Step[] => {
    const [, kind = '', client = '1', rest = ''] = STEP.exec(raw.trim()) ?? [];
    const place = { client: Number(client), line: index + 1 };
    if (kind === 'I' || kind === 'E') {
      return [{ type: kind === 'I' ? 'send' : 'expect', text: rest.replaceAll('^A', '\x01'), ...place }];
    }
    if (kind === 'i' && rest === 'CONNECT') return [{ type: 'connect', ...place }];
    if (kind === 'i' && rest === 'DISCONNECT') return [{ type: 'disconnect', ...place }];
    if (kind === 'e' && rest === 'DISCONNECT') return [{ type: 'expect_disconnect', ...place }];
    if (kind !== '') throw new Error(`line ${index + 1}: ${raw} is no step`);
    return [];
  });
}
