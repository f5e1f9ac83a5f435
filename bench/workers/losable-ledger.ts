import { batchText } from '../../domain/ledger/batch-text.ts';
import { rowText } from '../../domain/ledger/row-text.ts';
import type { BookBatch, LedgerTransaction } from '../../domain/ledger/transactions.ts';
import { NO_PRICES } from '../../domain/markets/price-band.ts';
import { Ledger } from '../../durable-objects/ledger/ledger.ts';
import { LedgerJournal } from '../../durable-objects/ledger/ledger-journal.ts';
import { replay } from '../../durable-objects/ledger/replay.ts';
import { admissionOf, prepareOrder } from '../../durable-objects/order-book/admission/admission.ts';
import type { LedgerWork } from '../recovery-work.ts';
import { BENCH_MARKET } from './bench-market.ts';
import { ACCOUNTS, accountId, sampleOrders } from './order-flow-sample.ts';

const BATCH_ORDERS = 10;
const BOOK = BENCH_MARKET.symbol;

/** The ledger as deployed; the bench fills it, loses it, and takes the parts of its recovery one at a time. */
export class LosableLedger extends Ledger {
  /** A checkpoint with so many balances, and so many rows after it, of one batch each. */
  async fill(balances: number, rows: number): Promise<LedgerWork> {
    // Its own first row says by which rules it goes.
    await this.status();
    const journal = new LedgerJournal(this.ctx.storage);
    const ledger = replay(journal, this.code, journal.recovered);
    const time = Date.now();
    const apply = (transaction: LedgerTransaction): string => {
      const text = transaction.kind === 'batch' ? batchText(transaction) : JSON.stringify(transaction);
      const { changed: _, ...applied } = ledger.apply(transaction, { time, backlogged: false });
      if (!['done', 'taken', 'landed'].includes(applied.outcome.type)) throw new Error(JSON.stringify(applied.outcome));
      return rowText(time, false, ledger.rules.version, [{ transaction, text, ...applied }]);
    };
    for (let index = 0; index < ACCOUNTS; index++) apply(deposit(accountId(index), 1_000_000_000_00));
    for (let index = ACCOUNTS; index < balances; index++) apply(deposit(crypto.randomUUID(), 1_000_00));
    journal.append(time, apply({ kind: 'own', book: BOOK, owner: 'bench', previousOwner: '' }));
    journal.writeCheckpoint(ledger.checkpoint(), time);
    for (let batch = 1; batch <= rows; batch++) journal.append(time, apply(batchOf(batch, time)));
    return { balances: ledger.size.balances, rowsToReplay: rows, bytes: await this.readRaw() };
  }

  /** The floor: every row that recovery needs, read and not looked at. Answers their bytes. */
  async readRaw(): Promise<number> {
    const { sql } = this.ctx.storage;
    let bytes = 0;
    for (const { data } of sql.exec<{ data: ArrayBuffer }>('SELECT data FROM checkpoint')) bytes += data.byteLength;
    for (const { row } of sql.exec<{ row: string }>('SELECT row FROM journal ORDER BY seq')) bytes += row.length;
    return bytes;
  }

  /** Checkpoint, and replay of the rows after it, each outcome compared. Answers the balances. */
  async replayed(): Promise<number> {
    return replay(new LedgerJournal(this.ctx.storage), this.code).size.balances;
  }

  async lose(): Promise<never> {
    this.ctx.abort('lost by the bench');
    throw new Error('lost by the bench');
  }
}

function deposit(account: string, amount: number): LedgerTransaction {
  const id = crypto.randomUUID();
  const rest = { cost: 0, tracksLots: false, lots: [], reference: null, createdAt: 0, event: null } as const;
  return { kind: 'transfer', type: 'deposit', id, account, asset: BENCH_MARKET.quoteAsset, amount, ...rest };
}

/** Buys that rest. */
function batchOf(batch: number, time: number): BookBatch {
  const orders = sampleOrders(batch, BATCH_ORDERS).map((command) => {
    const prepared = prepareOrder(
      { ...command, terms: { ...command.terms, side: 'buy' } },
      BENCH_MARKET,
      NO_PRICES,
      time,
    );
    if (!prepared.ok) throw new Error(prepared.error.reason);
    return admissionOf(prepared.value);
  });
  const { baseAsset, quoteAsset, tracksLots } = BENCH_MARKET;
  const fence = { book: BOOK, owner: 'bench', batch, settledFrom: 0, settledTo: 0 };
  return {
    kind: 'batch',
    ...fence,
    baseAsset,
    quoteAsset,
    tracksLots,
    emitsEvents: false,
    chunks: [],
    orders,
    amendments: [],
  };
}
