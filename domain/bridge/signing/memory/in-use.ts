import type { RecordChange, SignerMemory } from './signer-memory.ts';

const MARK = 'in use';

/** Whether a signer has seen funds of its organization: from then on its places change behind a notice. */
export function isInUse(memory: SignerMemory): boolean {
  return memory.read('place', MARK) !== null;
}

/** What is written when it sees the first. */
export const IN_USE: RecordChange = { kind: 'place', id: MARK, text: 'since it has seen funds' };
