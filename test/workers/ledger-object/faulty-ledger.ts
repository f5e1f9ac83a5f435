import { LEDGER_CODE, type LedgerCode } from '../../../domain/ledger/ledger-rules.ts';
import { Ledger, type LedgerPoint } from '../../../durable-objects/ledger/ledger.ts';
import { LEDGER_SETTINGS, type LedgerSettings } from '../../../durable-objects/ledger/ledger-settings.ts';

/** What happens to one D1 batch, or one upload to R2. `away` fails what is only read, too. */
export type D1Fate = 'through' | 'request_lost' | 'answer_lost' | 'lands_late' | 'doubled' | 'away';

export interface LedgerFaults {
  /** Whether the ledger is killed at this point. */
  readonly kills: (point: LedgerPoint, shard: string) => boolean;
  /** Holds the ledger at this point until it resolves. */
  readonly waits: (point: LedgerPoint, shard: string) => Promise<void> | undefined;
  readonly d1: () => D1Fate;
  readonly r2: () => D1Fate;
  readonly settings: Partial<LedgerSettings>;
  /** The deployment that objects which start after it belong to. */
  readonly code: LedgerCode;
}

const NO_FAULTS: LedgerFaults = {
  kills: () => false,
  waits: () => undefined,
  d1: () => 'through',
  r2: () => 'through',
  settings: {},
  code: LEDGER_CODE,
};

/** Tests and objects share the isolate, so a test sets the plan here; settings and code hold for objects that start after it. */
export const ledgerFaults = { plan: NO_FAULTS, late: [] as (() => Promise<unknown>)[] };

export function planLedgerFaults(plan: Partial<LedgerFaults>): void {
  ledgerFaults.plan = { ...NO_FAULTS, ...plan };
}

export function clearLedgerFaults(): void {
  ledgerFaults.plan = NO_FAULTS;
}

/** Requests that were given up and are still on the wire land now. */
export async function landLateRequests(): Promise<void> {
  for (const land of ledgerFaults.late.splice(0)) await land();
}

/** Holds an object until a test says so. It asks in its own turns: a promise of the test would run the object in the test's context. */
export async function heldUntil(isOver: () => boolean): Promise<void> {
  while (!isOver()) await new Promise((resolve) => setTimeout(resolve, 1));
}

const LOST = 'D1_ERROR: network connection lost';

/** Sends a request over a wire that loses requests, loses answers, delivers late and delivers twice. */
async function sendOver<Answer>(fate: D1Fate, send: () => Promise<Answer>): Promise<Answer> {
  switch (fate) {
    case 'away':
    case 'request_lost':
      throw new Error(`${LOST} (request)`);
    case 'answer_lost':
      await send();
      throw new Error(`${LOST} (answer)`);
    case 'lands_late':
      ledgerFaults.late.push(() => send().catch(() => undefined));
      throw new Error(`${LOST} (late)`);
    case 'doubled': {
      const first = await send();
      await send().catch(() => undefined);
      return first;
    }
    case 'through':
      return send();
  }
}

/** D1 behind that wire. The storage itself is real. */
function lossy(db: D1Database): D1Database {
  const batch = <T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> =>
    sendOver(ledgerFaults.plan.d1(), () => db.batch<T>(statements));
  const prepare = (query: string): D1PreparedStatement => {
    if (ledgerFaults.plan.d1() === 'away') throw new Error(LOST);
    return db.prepare(query);
  };
  return { prepare, batch } as unknown as D1Database;
}

/** R2 behind that wire. */
function lossyBucket(bucket: R2Bucket): R2Bucket {
  const put = (key: string, text: string, options: R2PutOptions): Promise<R2Object | null> =>
    sendOver(ledgerFaults.plan.r2(), () => bucket.put(key, text, options));
  return { put, head: (key: string) => bucket.head(key), get: (key: string) => bucket.get(key) } as unknown as R2Bucket;
}

/** A line that an object says while its test ends keeps the runner from ending. */
const QUIET = { reportEvery_ms: Number.POSITIVE_INFINITY };

/** The ledger as deployed, with a lossy wire to D1 and R2, a kill switch at every await, and bounds that a test chooses. */
export class FaultyLedger extends Ledger {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, { ...env, DB: lossy(env.DB), LEDGER_JOURNAL: lossyBucket(env.LEDGER_JOURNAL) });
  }

  protected override get settings(): LedgerSettings {
    return { ...LEDGER_SETTINGS, ...QUIET, ...ledgerFaults.plan.settings };
  }

  protected override get code(): LedgerCode {
    return ledgerFaults.plan.code;
  }

  /** An abort drops writes that are not on disk yet, so killing `after_journal` loses the row and `before_answer` keeps it. */
  protected override step(point: LedgerPoint): Promise<void> | undefined {
    const shard = this.ctx.id.name ?? '';
    const { kills, waits } = ledgerFaults.plan;
    if (!kills(point, shard)) return waits(point, shard);
    this.ctx.abort(`killed ${point}`);
    return new Promise(() => undefined);
  }
}
