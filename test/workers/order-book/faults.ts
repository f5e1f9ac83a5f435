import type { Hub } from '../../../durable-objects/feed/hub.ts';
import { OrderBook } from '../../../durable-objects/order-book/order-book.ts';
import type { CyclePoint } from '../../../durable-objects/order-book/order-flow.ts';

/** What happens to one D1 request. */
export type D1Fate = 'through' | 'request_lost' | 'answer_lost' | 'lands_late' | 'slow';

/** The faults of the running test; both functions are asked every time. */
export interface FaultPlan {
  /** Whether the book is killed at this point of its cycle. */
  kills(point: CyclePoint, book: string): boolean;
  d1(): D1Fate;
}

const NO_FAULTS: FaultPlan = { kills: () => false, d1: () => 'through' };

/** Tests and objects share the isolate, so a test sets the plan here. */
export const faults = { plan: NO_FAULTS, readsLost: 0, late: [] as (() => Promise<unknown>)[] };

export function clearFaults(): void {
  faults.plan = NO_FAULTS;
  faults.readsLost = 0;
}

/** Requests that were given up and are still on the wire: the test lets them land, after the object that sent them may be gone. */
export async function landLateRequests(): Promise<void> {
  for (const land of faults.late.splice(0)) await land();
}

const SLOW_MS = 10;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** D1 behind a wire that loses requests, loses answers, and delivers late. The storage itself is real. */
function lossy(db: D1Database): D1Database {
  const batch = async <T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> => {
    switch (faults.plan.d1()) {
      case 'request_lost':
        throw new Error('D1_ERROR: network connection lost (request)');
      case 'answer_lost':
        await db.batch(statements).catch(() => undefined);
        throw new Error('D1_ERROR: network connection lost (answer)');
      case 'lands_late':
        faults.late.push(() => db.batch(statements).catch(() => undefined));
        throw new Error('D1_ERROR: network connection lost (late)');
      case 'slow':
        await pause(SLOW_MS);
        return db.batch<T>(statements);
      case 'through':
        return db.batch<T>(statements);
    }
  };
  /** The reading of an order's outcome is the one statement that a running book sends alone. */
  const prepare = (query: string): D1PreparedStatement => {
    if (faults.readsLost === 0 || !query.includes('FROM orders WHERE id = ?1')) return db.prepare(query);
    faults.readsLost -= 1;
    throw new Error('D1_ERROR: network connection lost');
  };
  return { prepare, batch } as unknown as D1Database;
}

/** The order book as deployed, with a lossy wire to D1 and a kill switch at every await of its cycle. */
export class FaultyOrderBook extends OrderBook {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, { ...env, DB: lossy(env.DB) });
  }

  get sockets(): Hub {
    return this.hub;
  }

  /** An abort drops writes that are not on disk yet, so killing `after_journal` loses the journal row and `before_answer` keeps it. */
  protected override step(point: CyclePoint): Promise<void> | undefined {
    if (!faults.plan.kills(point, this.ctx.id.name ?? '')) return undefined;
    const onDisk = point === 'before_answer' ? this.ctx.storage.sync() : Promise.resolve();
    return onDisk.then(() => {
      this.ctx.abort(`killed ${point}`);
      return new Promise(() => undefined);
    });
  }
}
