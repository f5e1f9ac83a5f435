import type { RecordChange, SignerMemory } from './signer-memory.ts';

const DAY_MS = 86_400_000;
const CANCELLED = 'cancelled';

/**
 * Payments of an organization that one signer cancels within any 24 hours. A cancellation asks for no room in a lane and passes vetoes, and each costs the vault a fee. More than a few
 * a day are an incident, at which people look.
 */
export const CANCELLATIONS_A_DAY_MAX = 20;

/** What was done, and when, Unix ms. */
interface DayEntry {
  readonly order: string;
  readonly at: number;
}

/**
 * Whether one more payment may be cancelled. The same again counts once.
 *
 * @param order `paymentDigest`
 */
export function mayCancel(memory: SignerMemory, order: string, now: number): boolean {
  const others = entriesOf(memory, now).filter((entry) => entry.order !== order);
  return others.length < CANCELLATIONS_A_DAY_MAX;
}

export function cancelledChange(memory: SignerMemory, order: string, now: number): RecordChange {
  const others = entriesOf(memory, now).filter((entry) => entry.order !== order);
  return { kind: 'day', id: CANCELLED, text: JSON.stringify([...others, { order, at: now }]) };
}

/** A clock that was set back makes nothing younger: what is of a later time counts. */
function entriesOf(memory: SignerMemory, now: number): readonly DayEntry[] {
  const text = memory.read('day', CANCELLED);
  const all = text === null ? [] : (JSON.parse(text) as readonly DayEntry[]);
  return all.filter(({ at }) => at > now - DAY_MS);
}
