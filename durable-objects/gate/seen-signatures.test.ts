import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { SIGNATURE_WINDOW_MS } from '../../domain/identity/signed-text.ts';
import { SeenSignatures } from './seen-signatures.ts';

function seenSignatures(): SeenSignatures {
  const db = new DatabaseSync(':memory:');
  const exec = (text: string, ...values: (string | number)[]) => {
    const rows = db.prepare(text).all(...values);
    return { toArray: () => rows };
  };
  return new SeenSignatures({ exec } as unknown as SqlStorage);
}

it('I-17: there is no millisecond in which a signature is both taken and forgotten', () => {
  const sent = 1_000_000_000_000;
  for (let late = SIGNATURE_WINDOW_MS - 2; late <= SIGNATURE_WINDOW_MS + 2; late++) {
    const seen = seenSignatures();
    seen.add('first', sent, sent);
    const now = sent + late;
    seen.add('another, which cleans up', now, now);
    const isTaken = Math.abs(now - sent) <= SIGNATURE_WINDOW_MS;
    expect(seen.has('first')).toBe(isTaken);
  }
});
