import { batchOf, batchText } from '../../../domain/ledger/batch-text.ts';
import type { BookBatch } from '../../../domain/ledger/transactions.ts';
import type { Hub } from '../../../durable-objects/fan-out/hub.ts';
import type { LedgerApi } from '../../../durable-objects/ledger/api.ts';
import type { CyclePoint } from '../../../durable-objects/order-book/cycle/order-flow.ts';
import { BOOK_CODE, type BookCode } from '../../../durable-objects/order-book/journal/engine-version.ts';
import { OrderBook } from '../../../durable-objects/order-book/order-book.ts';

/** What happens to one call that a book makes of the ledger. */
export type CallFate =
  | 'through'
  | 'request_lost'
  | 'answer_lost'
  | 'lands_late'
  | 'doubled'
  | 'slow'
  | 'hangs'
  | 'answer_hangs';

/** The faults of the running test; both functions are asked every time. */
export interface FaultPlan {
  /** Whether the book is killed at this point of its cycle. */
  kills(point: CyclePoint, book: string): boolean;
  ledger(): CallFate;
}

const NO_FAULTS: FaultPlan = { kills: () => false, ledger: () => 'through' };

/** Tests and objects share the isolate, so a test sets the plan here. */
export const faults = {
  plan: NO_FAULTS,
  readsLost: 0,
  /** Changes batches on their way, as a defect of the book would. */
  spoils: null as ((batch: BookBatch) => BookBatch) | null,
  /** How much faster a book's clock runs that bounds its waits for the ledger. */
  haste: 1,
  /** The deployment that books which start from now on belong to. */
  code: BOOK_CODE,
  late: [] as (() => Promise<unknown>)[],
};

export function clearFaults(): void {
  faults.plan = NO_FAULTS;
  faults.readsLost = 0;
  faults.spoils = null;
  faults.haste = 1;
  faults.code = BOOK_CODE;
}

/** Calls that were given up and are still on the wire: the test lets them land, after the object that made them may be gone. */
export async function landLateCalls(): Promise<void> {
  for (const land of faults.late.splice(0)) await land();
}

const SLOW_MS = 10;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** One call that changes the ledger, on a wire that loses, doubles and delays. */
async function onTheWire<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  switch (faults.plan.ledger()) {
    case 'request_lost':
      throw new Error('network connection lost (request)');
    case 'answer_lost':
      await call().catch(() => undefined);
      throw new Error('network connection lost (answer)');
    case 'lands_late':
      faults.late.push(() => call().catch(() => undefined));
      throw new Error('network connection lost (late)');
    case 'doubled': {
      const [first] = await Promise.all([call(), call().catch(() => undefined)]);
      return first;
    }
    case 'slow':
      await pause(SLOW_MS);
      return call();
    case 'answer_hangs':
      await call().catch(() => undefined);
      return new Promise(() => undefined);
    case 'hangs':
      return new Promise(() => undefined);
    case 'through':
      return call();
  }
}

/** The ledger behind that wire. The ledger itself is real. */
function lossy(namespace: Env['LEDGER']): Env['LEDGER'] {
  const getByName = (name: string): LedgerApi => {
    const stub = namespace.getByName(name) as unknown as LedgerApi;
    return {
      commitText: (text) => {
        const sent = faults.spoils === null ? text : batchText(faults.spoils(batchOf(text)));
        return onTheWire(async () => stub.commitText(sent));
      },
      takeOwnership: (request) => onTheWire(async () => stub.takeOwnership(request)),
      fence: (book) => stub.fence(book),
      transact: (transaction) => stub.transact(transaction),
      balances: (account) => stub.balances(account),
      dailyUse: (question) => stub.dailyUse(question),
      openBooks: (account) => stub.openBooks(account),
      openOrder: (account, wanted) => stub.openOrder(account, wanted),
      clientOrderIds: (orderIds) => stub.clientOrderIds(orderIds),
      projected: () => stub.projected(),
      status: () => stub.status(),
      selfAudit: () => stub.selfAudit(),
      reservations: (book) => stub.reservations(book),
      heldPage: (kind, from, count) => stub.heldPage(kind, from, count),
      heldRows: (kind, keys) => stub.heldRows(kind, keys),
      journalPartAfter: (seq) => stub.journalPartAfter(seq),
      rebuildReadModel: (id) => stub.rebuildReadModel(id),
      stateHash: () => stub.stateHash(),
      isForgotten: (orderId) => stub.isForgotten(orderId),
    };
  };
  return { getByName } as unknown as Env['LEDGER'];
}

/** D1 that loses the readings of what became of an order. */
function forgetful(db: D1Database): D1Database {
  const prepare = (query: string): D1PreparedStatement => {
    if (faults.readsLost === 0 || !query.includes('FROM orders WHERE id = ?1')) return db.prepare(query);
    faults.readsLost -= 1;
    throw new Error('D1_ERROR: network connection lost');
  };
  return { prepare, batch: (statements: D1PreparedStatement[]) => db.batch(statements) } as unknown as D1Database;
}

/** The order book as deployed, with a lossy wire to the ledger and a kill switch at every await of its cycle. */
export class FaultyOrderBook extends OrderBook {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, { ...env, DB: forgetful(env.DB), LEDGER: lossy(env.LEDGER) });
  }

  protected override get code(): BookCode {
    return faults.code;
  }

  get sockets(): Hub {
    return this.hub;
  }

  protected override timer(ms: number, ring: () => void): () => void {
    return super.timer(ms / faults.haste, ring);
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
