import { database } from '../../data/database.ts';
import { isVenueHalted } from '../../data/markets/venue.ts';
import { countMarkets } from '../../data/overview/venue-markets.ts';
import { countWaitingDeliveries } from '../../data/overview/waiting-work.ts';
import { type Incident, listIncidents, OPEN_INCIDENTS_MAX } from '../../data/status/incidents.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import { type PublicStatus, publicStatus } from '../../domain/status/public-status.ts';
import { askLedger } from '../ledger/ask-ledger.ts';
import type { LedgerEnv } from '../ledger/ledger-env.ts';
import { withinTime } from '../objects/within-time.ts';

/** A part that takes longer counts as away. */
const PART_WAIT_MS = 3_000;
/** So long everybody is told the same: whoever asks, the stores are read once meanwhile. */
const SHARED_MS = 10_000;
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

/** What this isolate told last. A finished answer alone: one that another request still waits for may end with it. */
let shared: StatusNow | null = null;

/** What the public is told of the venue, as it was ten seconds ago at most. It never fails: what cannot be read is not available. */
export async function readPublicStatus(env: StatusEnv, now: number): Promise<StatusNow> {
  if (shared !== null && now >= shared.at && now - shared.at < SHARED_MS) return shared;
  const status = await read(env, now);
  shared = status;
  return status;
}

/** What operators have told is told at once by this isolate. */
export function forgetPublicStatus(): void {
  shared = null;
}

async function read(env: StatusEnv, now: number): Promise<StatusNow> {
  const db = database(env.DB);
  const [markets, ledger, deliveries, hasEvents, open, past] = await Promise.all([
    withinTime(PART_WAIT_MS, Promise.all([isVenueHalted(db), countMarkets(db)])),
    withinTime(
      PART_WAIT_MS,
      askLedger(env, (asked) => asked.status(), PART_WAIT_MS),
    ),
    withinTime(PART_WAIT_MS, countWaitingDeliveries(db, now)),
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
    markets: markets === null ? null : { isVenueHalted: markets[0], isAnyHalted: markets[1].halted > 0 },
    ledger:
      ledger === null
        ? null
        : { isHalted: ledger.halted !== null, admits: ledger.admits, behindSince: ledger.behindSince },
    partners: deliveries === null ? null : { oldestAt: deliveries.events.oldestAt },
    hasEvents: hasEvents !== null,
    incidents: open?.flatMap(({ parts }) => parts) ?? null,
  };
  return { ...publicStatus(facts, now), at: now, open, past };
}
