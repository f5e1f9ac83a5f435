import { rateSubjectOf } from '../../domain/limits/address.ts';
import type { RateState } from '../../domain/limits/rate-state.ts';
import { addressGateName, userGateName } from '../../protocol/object-names/gate-name.ts';
import type { AddressAnswer, AddressDraw, GateApi } from '../gate/api.ts';

/** A credential that is shown, before anybody was asked about it. */
export interface ShownProof {
  /**
   * What this isolate knows it by once it has held: all that proves it; of signatures, each of which serves once, their key and the line that
   * they come from.
   */
  readonly knownBy: string;
  /** The API key whose user is to be found; null for a credential that names its Gate itself. */
  readonly keyId: string | null;
  readonly clientAddress: string;
}

/** What came of a credential: it holds, it fails, or who knows it was out of reach. */
export interface Checked<T> {
  readonly outcome: 'holds' | 'fails' | 'open';
  readonly value: T;
}

export type CountedProof<T> =
  | {
      readonly type: 'checked';
      readonly value: T /** Of the address, where it was counted. */;
      readonly rate: RateState | null;
    }
  | { readonly type: 'limited'; readonly rate: RateState; readonly retryAfter: number };

/** Asks a Gate object by its name; null when it stays out of reach. */
export type AskGate = <T>(name: string, ask: (gate: GateApi) => Promise<T>) => Promise<T | null>;

/** Credentials that held in this isolate, with the Gate of whom they stand for ('' where they name it themselves). */
const proven = new Map<string, string>();
/** Keys whose user this isolate knows. Whose a key is never changes. */
const gateNames = new Map<string, string>();
/** Callers that have used up their limit, and until when, Unix milliseconds. */
const limited = new Map<string, { readonly until: number; readonly rate: RateState }>();
/** Of each: what a full one forgets is asked for again. */
const KNOWN_MAX = 10_000;

/** While others of its address are being checked, a caller waits so long for their places. */
const LOOK_AGAIN_MS = 25;
const LOOKS_MAX = 12;

/**
 * Checks a credential. One that has not held in this isolate is counted by its caller's address first, and what it drew is given back once
 * it has: whoever is beyond the limit is refused before a key is looked up, a body read, a signature checked or anybody's Gate asked.
 *
 * @param check the Gate of the key's user is null for a key that does not exist
 * @returns null when the Gate of the address stays out of reach
 */
export async function countFirst<T>(
  ask: AskGate,
  { knownBy, keyId, clientAddress }: ShownProof,
  check: (gateName: string | null) => Promise<Checked<T>>,
  later: (work: Promise<unknown>) => Promise<unknown> = (work) => work,
): Promise<CountedProof<T> | null> {
  const place = { bucket: 'public', cost: 1, clientAddress } as const;
  const asked = keyId !== null && !gateNames.has(keyId) ? { keyId } : {};
  const counted = proven.has(knownBy) ? KNOWN : await takePlace(ask, knownBy, { ...place, isForProof: true, ...asked });
  if (counted === null || counted.type === 'limited') return counted;
  if (counted.type === 'counted' && counted.keyHolder !== null && keyId !== null)
    remember(gateNames, keyId, userGateName(counted.keyHolder.owner, counted.keyHolder.userId));
  const gateName = keyId === null ? '' : (proven.get(knownBy) ?? gateNames.get(keyId) ?? null);
  const { outcome, value } = await check(gateName);
  const rate = counted.type === 'counted' ? counted.rate : null;
  if (outcome === 'fails') {
    proven.delete(knownBy);
    if (counted.type === 'counted') return { type: 'checked', value, rate };
    const drawn = await drawOnAddress(ask, place);
    if (drawn === null || drawn.type === 'limited') return drawn;
    return { type: 'checked', value, rate: drawn.rate };
  }
  if (outcome === 'holds') remember(proven, knownBy, gateName ?? '');
  if (counted.type === 'counted')
    await later(ask(addressGateName(clientAddress), (gate) => gate.giveBack(place, counted.drawnAt)));
  return { type: 'checked', value, rate };
}

/** Counts a caller by its address; asks nobody about one that is known to be beyond its limit. */
export async function drawOnAddress(ask: AskGate, draw: AddressDraw): Promise<AddressAnswer | null> {
  const subject = rateSubjectOf(draw.clientAddress);
  const now = Date.now();
  const known = limited.get(subject);
  if (known !== undefined && now < known.until)
    return { type: 'limited', ...known, retryAfter: Math.ceil((known.until - now) / 1_000), mayFitSoon: false };
  limited.delete(subject);
  const answer = await ask(addressGateName(draw.clientAddress), (gate) => gate.admitAddress(draw));
  if (answer?.type === 'limited' && !answer.mayFitSoon)
    remember(limited, subject, { until: now + answer.retryAfter * 1_000, rate: answer.rate });
  return answer;
}

const KNOWN = { type: 'known' } as const;

/** Callers that come at once, before the first of them is known, do not use up the limit of those that fail. */
async function takePlace(
  ask: AskGate,
  knownBy: string,
  draw: AddressDraw,
): Promise<AddressAnswer | typeof KNOWN | null> {
  const answer = await drawOnAddress(ask, draw);
  if (answer?.type !== 'limited' || !answer.mayFitSoon) return answer;
  for (let look = 0; look < LOOKS_MAX; look++) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    if (proven.has(knownBy)) return KNOWN;
  }
  return drawOnAddress(ask, draw);
}

/** Of too many the one that was used longest ago is forgotten. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  if (map.size >= KNOWN_MAX) map.delete(map.keys().next().value as string);
  map.set(key, value);
}
