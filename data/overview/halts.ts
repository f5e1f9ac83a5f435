import { sql } from 'drizzle-orm';
import type { Database } from '../database.ts';

/** What the trail names the market-wide halt by. */
export const VENUE_SUBJECT = 'venue';

/** A step by which somebody has halted something or let it go on, as the audit trail has it. */
export interface HaltStep {
  readonly id: string;
  /** Market symbol, or `venue`. */
  readonly subject: string;
  readonly halted: boolean;
  /** User id, and the name where that is a user's. */
  readonly actor: string;
  readonly actorName: string | null;
  readonly reason: string | null;
  /** Unix ms. */
  readonly at: number;
}

type Row = Omit<HaltStep, 'halted'> & { readonly halted: number };

const OF_SUBJECT = sql`e.type GLOB 'operator.*' AND e.type IN ('operator.market_rules', 'operator.venue_halt')`;
const HALTED = sql`(e.payload ->> '$.after.status' IS 'halted' OR e.payload ->> '$.after.halted' IS 1)`;
const GOES_ON = sql`(e.payload ->> '$.after.status' IS 'open' OR e.payload ->> '$.after.halted' IS 0)`;
const WAS_HALTED = sql`(e.payload ->> '$.before.status' IS 'halted' OR e.payload ->> '$.before.halted' IS 1)`;
const STEP = sql`
  e.id, e.subject, ${HALTED} AS halted, e.payload ->> 'actor' AS actor, u.name AS actorName,
  e.payload ->> '$.details.reason' AS reason, e.created_at AS at`;

/** The last step that halted each of these subjects. */
export async function lastHalts(db: Database, subjects: readonly string[]): Promise<ReadonlyMap<string, HaltStep>> {
  const rows = await db.all<Row>(sql`
    SELECT ${STEP} FROM json_each(${JSON.stringify(subjects)}) s
    JOIN domain_events e ON e.id = (
      SELECT e.id FROM domain_events e
      WHERE e.subject = s.value AND ${OF_SUBJECT} AND ${HALTED} AND NOT ${WAS_HALTED} ORDER BY e.id DESC LIMIT 1)
    LEFT JOIN users u ON u.id = e.payload ->> 'actor'`);
  return new Map(rows.map((row) => [row.subject, stepOf(row)]));
}

/** Halts of a subject and how each ended, newest first. A market that is closed for good does not go on, so that is no end of a halt. */
export async function listHalts(db: Database, subject: string, limit: number): Promise<readonly HaltStep[]> {
  const rows = await db.all<Row>(sql`
    SELECT ${STEP} FROM domain_events e LEFT JOIN users u ON u.id = e.payload ->> 'actor'
    WHERE e.subject = ${subject} AND ${OF_SUBJECT} AND ((${HALTED} AND NOT ${WAS_HALTED}) OR (${GOES_ON} AND ${WAS_HALTED})) ORDER BY e.id DESC LIMIT ${limit}`);
  return rows.map(stepOf);
}

function stepOf({ halted, ...step }: Row): HaltStep {
  return { ...step, halted: halted === 1 };
}
