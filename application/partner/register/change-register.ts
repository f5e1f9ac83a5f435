import { type Database, database } from '../../../data/database.ts';
import {
  announceEvent,
  ENDED_BY_OPERATOR,
  findAnnounced,
  findRegisterEvent,
  findShortHolder,
  knownCertificates,
  ledgerChanges,
  NOT_ANNOUNCED,
  PASSING_REFUSALS,
  type RegisterEventRow,
  type RegisterLine,
  recordEvent,
  referencesLike,
  refuseEvent,
  registeredHolders,
  type ShortHolder,
  type StagedEvent,
  stageEvent,
  unfinishedEvents,
} from '../../../data/partner/register/register-events.ts';
import { type FullFault, roomFault } from '../../../data/partner/register/register-room.ts';
import { MINUTE_MS } from '../../../domain/calendar/durations.ts';
import type { RegisterEntryOutcome } from '../../../domain/ledger/outcomes.ts';
import type { RegisterLeg } from '../../../domain/ledger/transactions.ts';
import { changeFault } from '../../../domain/register/change-fault.ts';
import { entryId } from '../../../domain/register/entry-id.ts';
import { lookAlikeForm } from '../../../domain/register/look-alike.ts';
import { registerLegs } from '../../../domain/register/register-legs.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { LedgerEnv } from '../../ledger/ledger-env.ts';
import { transact } from '../../ledger/transact.ts';
import { releaseEvent } from './end-shares.ts';
import { carryOnSplit } from './split-shares.ts';

export type RegisterChangeError =
  /** The id stands for another event. */
  | { readonly reason: 'id_conflict' }
  /** Another event of the security is under way, and did not end in time. */
  | { readonly reason: 'busy' }
  /** Certificate numbers that the register knows already. */
  | { readonly reason: 'certificate_exists'; readonly certificates: readonly string[] }
  /** References of holders whom the register has come to know by another name or country. */
  | { readonly reason: 'holder_differs'; readonly references: readonly string[] }
  | ({ readonly reason: 'not_registered' } & ShortHolder)
  /** The holder has sold, or offers, shares that they are registered with. */
  | { readonly reason: 'not_available' }
  /** People hold shares that came in by deposits. */
  | { readonly reason: 'has_deposits' }
  | { readonly reason: 'balance_too_large' | 'ledger_full' | 'malformed' }
  /** An account, or the security, would have more lots in the ledger than it may. */
  | { readonly reason: 'too_many_lots' }
  /** An operator has ended it: nothing of it was done, and another request asks anew. */
  | { readonly reason: typeof ENDED_BY_OPERATOR }
  /** The agent or the security has as many rows as it may have, or the database as many as leave room for orders. */
  | FullFault
  /** It may have been done: the same request finds out. */
  | { readonly reason: 'outcome_unknown' };

/**
 * Changes a register and the ledger with it: staged, announced, moved in the ledger under an id of the event and its attempt, recorded. Each step may be repeated; a crash
 * between two is carried on by the same request, by the next event of the security, and by the job.
 */
export async function changeRegister(
  env: LedgerEnv,
  event: StagedEvent,
  lines: readonly RegisterLine[],
): Promise<Result<RegisterEventRow, RegisterChangeError>> {
  const db = database(env.DB);
  // What holders have is judged when the event is announced.
  const fault = changeFault(
    event.type,
    lines.map(({ holder, shares }) => ({ holder: holder.reference, shares })),
    () => Number.POSITIVE_INFINITY,
  );
  if (fault !== null) return err({ reason: 'malformed' });
  const before = await findRegisterEvent(db, event.id);
  if (before !== null && (before.hash !== event.hash || before.security !== event.security))
    return err({ reason: 'id_conflict' });
  if (before === null || before.state === 'staged' || PASSING_REFUSALS.has(before.refusal ?? '')) {
    const certificates = lines.flatMap(({ certificate }) => certificate ?? []);
    const known = await knownCertificates(db, event, certificates);
    if (known.length > 0) return err({ reason: 'certificate_exists', certificates: known });
    try {
      await stageEvent(db, event, lines);
    } catch (error) {
      const taken = await knownCertificates(db, event, certificates);
      if (taken.length === 0) throw error;
      // Another event has written them since they were looked up: this one frees what its first parts have written. Another run of it may have gone on.
      await refuseEvent(db, { id: event.id, state: 'staged' }, NOT_ANNOUNCED);
      const left = await findRegisterEvent(db, event.id);
      if (left === null || left.state === 'refused') return err({ reason: 'certificate_exists', certificates: taken });
    }
    const staged = await findRegisterEvent(db, event.id);
    if (staged === null || PASSING_REFUSALS.has(staged.refusal ?? '')) {
      const { security, createdAt: at } = event;
      const full = await roomFault(db, { security, rows: lines.length + 1, kind: 'lines', at });
      // Where it fits, another run has given it up meanwhile.
      return err(full ?? { reason: 'busy' });
    }
    const references = await differingHolders(db, event, lines);
    if (references.length > 0 && (await refuseEvent(db, { id: event.id, state: 'staged' }, NOT_ANNOUNCED)))
      return err({ reason: 'holder_differs', references });
  }
  return carryOn(env, event.id, event.action);
}

/**
 * Of lines that are staged, references of others: an event at the same moment has introduced its holder first, or one whose reference looks the same. Holders of recorded
 * events stay who they are, whatever looks like them.
 * From here on nobody changes who that is.
 */
async function differingHolders(
  db: Database,
  { security }: StagedEvent,
  lines: readonly RegisterLine[],
): Promise<string[]> {
  const named = lines.map(({ holder }) => holder);
  const known = await registeredHolders(db, security, [...new Set(named.map(({ reference }) => reference))]);
  const references = [...new Set(named.flatMap(({ account, reference }) => (account === null ? [reference] : [])))];
  const like = await referencesLike(db, security, references.map(lookAlikeForm));
  const differing = named.filter(({ account, reference, name, kind, isKindStated, country }) => {
    const registered = known.get(reference);
    // Whose an account is, is known here, whatever name they are given.
    if (registered === undefined || (account === null && registered.name !== name)) return true;
    if (isKindStated !== false && registered.kind !== null && registered.kind !== kind) return true;
    if (country !== null && registered.country !== null && registered.country !== country) return true;
    if (registered.isRecorded) return false;
    return like.get(lookAlikeForm(reference))?.some((other) => other !== reference) === true;
  });
  return [...new Set(differing.map(({ reference }) => reference))];
}

/**
 * Goes on with an event from wherever it stands.
 *
 * @param moving of an event that is not announced yet: the action whose shares move from then on
 */
export async function carryOn(
  env: LedgerEnv,
  id: string,
  moving?: StagedEvent['action'],
): Promise<Result<RegisterEventRow, RegisterChangeError>> {
  const db = database(env.DB);
  const event = await findRegisterEvent(db, id);
  if (event === null) return err({ reason: 'outcome_unknown' });
  switch (event.state) {
    case 'staged': {
      if (await announceEvent(db, event, { moving })) return carryOn(env, id, moving);
      const other = await findAnnounced(db, event.security);
      if (other !== null) {
        await carryOn(env, other.id);
        if (await announceEvent(db, event, { moving })) return carryOn(env, id, moving);
        if ((await findAnnounced(db, event.security)) !== null) return err({ reason: 'busy' });
      }
      const short = await findShortHolder(db, event);
      if (short === null) return err({ reason: 'busy' });
      if (!(await refuseEvent(db, event, 'not_registered'))) return carryOn(env, id, moving);
      return err({ reason: 'not_registered', ...short });
    }
    case 'announced':
      if (event.type !== 'split' && event.type !== 'merger' && event.type !== 'conversion')
        return moveLedger(env, event);
      await (event.type === 'split' ? carryOnSplit(env, event) : releaseEvent(env, event));
      return err({ reason: 'busy' });
    case 'recorded':
      return ok(event);
    case 'refused':
      return err(refusalOf(event.refusal));
  }
}

/** Asks the ledger for the entry of an event's attempt. It keeps what it has answered under an id: another attempt has another. */
export function enter(
  env: LedgerEnv,
  { id, security, attempt, createdAt }: RegisterEventRow,
  legs: readonly RegisterLeg[],
) {
  const entry = { id: entryId(id, attempt), asset: security, legs, createdAt, event: null };
  return transact(env, { kind: 'register_entry', ...entry });
}

async function moveLedger(
  env: LedgerEnv,
  event: RegisterEventRow,
): Promise<Result<RegisterEventRow, RegisterChangeError>> {
  const db = database(env.DB);
  const { id } = event;
  const outcome = await enter(env, event, registerLegs(event, await ledgerChanges(db, id)));
  switch (outcome.type) {
    case 'done': {
      await recordEvent(db, event, Date.now());
      const recorded = await findRegisterEvent(db, id);
      return recorded?.state === 'recorded' ? ok(recorded) : err({ reason: 'outcome_unknown' });
    }
    case 'outcome_unknown':
      return err({ reason: 'outcome_unknown' });
    default: {
      // Another run of it may have ended it meanwhile: what stands is the answer.
      if (!(await refuseEvent(db, event, outcome.type))) return carryOn(env, id);
      return err(refusalOf(outcome.type));
    }
  }
}

type Refusal =
  | Exclude<RegisterEntryOutcome['type'], 'done'>
  | 'not_registered'
  | typeof NOT_ANNOUNCED
  | typeof ENDED_BY_OPERATOR;

/** As it is kept with the event. */
function refusalOf(refusal: string | null): RegisterChangeError {
  const told = refusal as Refusal;
  switch (told) {
    case 'insufficient_balance':
      return { reason: 'not_available' };
    case 'not_registered':
      return { reason: 'not_registered', holder: '', required: 0, held: 0 };
    case 'split_under_way':
    case NOT_ANNOUNCED:
      // Nothing was done: the same request begins it again.
      return { reason: 'busy' };
    case 'has_deposits':
    case 'balance_too_large':
    case 'ledger_full':
    case 'malformed':
    case 'too_many_lots':
    case 'id_conflict':
    case ENDED_BY_OPERATOR:
      return { reason: told };
    case 'failed':
      // Whatever it says, the ledger cannot carry it out.
      return { reason: 'malformed' };
  }
}

/** Younger events are still under way: the lines of a large import take longer to write than an announced event does to end. */
const LEFT_AFTER_MS = { staged: 15 * MINUTE_MS, announced: MINUTE_MS };
const EVENTS_PER_RUN = 50;

/**
 * Carries on what crashes have left: announced events to their end; what was never announced comes to nothing.
 *
 * @throws AggregateError of the events that failed, once all were tried
 */
export async function carryOnRegisters(env: LedgerEnv, now: number): Promise<void> {
  const db = database(env.DB);
  const failures: unknown[] = [];
  for (const event of await unfinishedEvents(db, now, LEFT_AFTER_MS, EVENTS_PER_RUN)) {
    try {
      if (event.state === 'staged') await refuseEvent(db, event, NOT_ANNOUNCED);
      else await carryOn(env, event.id);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'events of registers failed');
}
