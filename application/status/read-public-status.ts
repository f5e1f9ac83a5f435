import { database } from '../../data/database.ts';
import { isVenueHalted } from '../../data/markets/venue.ts';
import { isAnyMarketHalted } from '../../data/overview/venue-markets.ts';
import { oldestUntoldEvent } from '../../data/overview/waiting-work.ts';
import { type Incident, listIncidents, OPEN_INCIDENTS_MAX } from '../../data/status/incidents.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import { type PublicStatus, publicStatus } from '../../domain/status/public-status.ts';
import { askLedger } from '../ledger/ask-ledger.ts';
import type { LedgerEnv } from '../ledger/ledger-env.ts';
import { withinTime } from '../objects/within-time.ts';
import { SharedReading } from './shared-reading.ts';

/** A part that takes longer counts as away. */
const PART_WAIT_MS = 3_000;
/** Incidents that are over are told for so long, and so many of them. */
const PAST_MS = 90 * DAY_MS;
const PAST_MAX = 20;

type StatusEnv = LedgerEnv & Pick<Env, 'DB' | 'EVENTS_DB'>;

export interface StatusNow extends PublicStatus {
  /** Unix milliseconds at which it was read. */
  readonly at: number;
  /** Newest first; null where they could not be read. */
  readonly open: readonly Incident[] | null;
  readonly past: readonly Incident[] | null;
}

const shared = new SharedReading<StatusNow>({
  freshMs: 10_000,
  oldMsMax: 60_000,
  readingMsMax: PART_WAIT_MS + 2_000,
});

/**
 * What the public is told of the venue, as it was ten seconds ago at most; up to a minute ago while somebody reads it anew and the stores are slow. It
 * never fails: what cannot be read is not available.
 */
export function readPublicStatus(env: StatusEnv, now: number): Promise<StatusNow> {
  return shared.read(now, () => read(env, now));
}

/** What operators have told is told at once by this isolate; by others once theirs is read anew. */
export function forgetPublicStatus(): void {
  shared.forget();
}

async function read(env: StatusEnv, now: number): Promise<StatusNow> {
  const db = database(env.DB);
  const [markets, ledger, untold, hasEvents, open, past] = await Promise.all([
    withinTime(PART_WAIT_MS, Promise.all([isVenueHalted(db), isAnyMarketHalted(db)])),
    withinTime(
      PART_WAIT_MS,
      askLedger(env, (asked) => asked.status(), PART_WAIT_MS),
    ),
    withinTime(PART_WAIT_MS, oldestUntoldEvent(db)),
    withinTime(PART_WAIT_MS, env.EVENTS_DB.prepare('SELECT 1').first()),
    withinTime(
      PART_WAIT_MS,
      listIncidents(db, { isOpen: true, resolvedSince: null, before: null, limit: OPEN_INCIDENTS_MAX }),
    ),
    withinTime(
      PART_WAIT_MS,
      listIncidents(db, { isOpen: false, resolvedSince: now - PAST_MS, before: null, limit: PAST_MAX }),
    ),
  ]);
  const facts = {
    markets: markets === null ? null : { isVenueHalted: markets[0], isAnyHalted: markets[1] },
    ledger:
      ledger === null
        ? null
        : { isHalted: ledger.halted !== null, admits: ledger.admits, behindSince: ledger.behindSince },
    partners: untold,
    hasEvents: hasEvents !== null,
    incidents: open?.flatMap(({ parts }) => parts) ?? null,
  };
  return { ...publicStatus(facts, now), at: now, open, past };
}
