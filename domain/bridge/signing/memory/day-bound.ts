import type { Vault } from '../../chains/chain-adapter.ts';
import { spendsOutputs } from '../../chains/outpoints.ts';
import { statementDigest } from '../signer-identity.ts';
import type { RecordChange, SignerMemory } from './signer-memory.ts';

const DAY_MS = 86_400_000;

/**
 * Payments of one vault, which the signer has not signed itself, that it cancels within any 24 hours. A cancellation asks for no room in a lane and passes vetoes, and each costs the vault a fee. More
 * than a few a day are an incident, at which people look.
 */
export const CANCELLATIONS_A_DAY_MAX = 20;
/** The same where a cancellation costs cents at most, or the vault nothing: customers must not use it up by transfers that nobody can pay. */
export const CHEAP_CANCELLATIONS_A_DAY_MAX = 1_000;
/**
 * Of one vault, what a signer signs within any 24 hours whose fee is far above what its node asks for today: refunds, and cancellations of what it has not signed itself. Fees that have fallen must not stop
 * them for good, and who coordinates must not choose such fees at will.
 */
export const DEAR_A_DAY_MAX = 2;

/** What takes a place of the day. */
export interface CountedOrder {
  readonly vault: Vault;
  /** `paymentDigest`. */
  readonly order: string;
  /** Its fee is above what the own node asks for (`ReferenceCheck.isDear`). */
  readonly isDear: boolean;
  readonly isCancel: boolean;
}

/** What was done, and when, Unix ms. */
type DayEntry = Pick<CountedOrder, 'order' | 'isDear' | 'isCancel'> & { readonly at: number };

/** Whether the day of its vault has a place for one more. The same again counts once. */
export function hasPlace(memory: SignerMemory, counted: CountedOrder, now: number): boolean {
  const { vault, order, isDear, isCancel } = counted;
  const others = entriesOf(memory, vault, now).filter((entry) => entry.order !== order);
  const places = spendsOutputs(vault) ? CANCELLATIONS_A_DAY_MAX : CHEAP_CANCELLATIONS_A_DAY_MAX;
  if (isCancel && others.filter((entry) => entry.isCancel).length >= places) return false;
  return !isDear || others.filter((entry) => entry.isDear).length < DEAR_A_DAY_MAX;
}

export function countedChange(memory: SignerMemory, counted: CountedOrder, now: number): RecordChange {
  const { vault, order, isDear, isCancel } = counted;
  const others = entriesOf(memory, vault, now).filter((entry) => entry.order !== order);
  const entries: readonly DayEntry[] = [...others, { order, isDear, isCancel, at: now }];
  return { kind: 'day', id: idOf(vault), text: JSON.stringify(entries) };
}

/** A clock that was set back makes nothing younger: what is of a later time counts. */
function entriesOf(memory: SignerMemory, vault: Vault, now: number): readonly DayEntry[] {
  const text = memory.read('day', idOf(vault));
  const all = text === null ? [] : (JSON.parse(text) as readonly DayEntry[]);
  return all.filter(({ at }) => at > now - DAY_MS);
}

/** By where fees are paid from: tokens of one account share its day. */
function idOf({ chain, network, contract, keys, custody }: Vault): string {
  const account = custody ? [custody.provider, custody.account] : [contract ?? [keys.groupKey, ...keys.signerKeys]];
  return statementDigest(['edge.bridge.day.v1', chain, network, account]);
}
