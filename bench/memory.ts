/**
 * `npm run bench:memory`: bytes that a balance, an open order's reservation and a lot keep alive in the ledger's state machine, against the same
 * records as plain objects in a Map by their ids. In plain Node: no Worker and no storage.
 */
import { uuidv7 } from 'uuidv7';
import { Ledger } from '../domain/ledger/ledger.ts';
import type { OrderAdmission } from '../domain/ledger/records.ts';
import type { BookBatch, LedgerTransaction } from '../domain/ledger/transactions.ts';
import { collectGarbage, memoryInUse_bytes } from './memory-in-use.ts';
import { printReport } from './report.ts';
import { sized } from './smoke.ts';

const BALANCES = sized(900_000, 2_000);
const LOTS = sized(140_000, 2_000);
const LOTS_PER_ACCOUNT = sized(1_000, 100);
const RESERVATIONS = sized(140_000, 1_000);
const BATCH_ORDERS = 500;
/** One account may not open so many orders. */
const ORDER_ACCOUNTS = 200;

const BOOK = 'B0-USD';
const TIME = Date.UTC(2026, 0, 5);

const accountId = (index: number): string => `bench-${String(index).padStart(4, '0')}`;

interface Kind {
  readonly what: string;
  readonly record: 'balances' | 'lots' | 'reservations';
  readonly count: number;
  /** A ledger as it stands before, and what then adds `count` records to it. */
  readonly begin: () => { readonly ledger: Ledger; readonly add: () => void };
  /** The same records as objects. */
  readonly objects: () => Map<string, object>;
}

function apply(ledger: Ledger, transaction: LedgerTransaction): void {
  const { outcome } = ledger.apply(transaction, { time: TIME, backlogged: false });
  if (!['done', 'taken', 'landed'].includes(outcome.type)) throw new Error(JSON.stringify(outcome));
}

const KINDS: readonly Kind[] = [
  {
    what: 'balance, each of another account',
    record: 'balances',
    count: BALANCES,
    begin() {
      const ledger = new Ledger();
      // Opens the boundary account's balance, too.
      apply(ledger, cashDeposit('first', 1_00));
      return {
        ledger,
        add: () => {
          for (let index = 0; index < BALANCES; index++) apply(ledger, cashDeposit(crypto.randomUUID(), 1_000_00));
        },
      };
    },
    objects() {
      const map = new Map<string, object>();
      for (let index = 0; index < BALANCES; index++) {
        const account = crypto.randomUUID();
        map.set(`${account} usd`, { account, asset: 'usd', available: 1_000_00 + index, held: 0, cost: 0 });
      }
      return map;
    },
  },
  {
    what: 'lot',
    record: 'lots',
    count: LOTS,
    begin() {
      const ledger = new Ledger();
      return { ledger, add: () => addLots(ledger) };
    },
    objects() {
      const map = new Map<string, object>();
      for (let index = 0; index < LOTS; index++) {
        const id = `${crypto.randomUUID()}.0`;
        const account = accountId(Math.floor(index / LOTS_PER_ACCOUNT));
        map.set(id, { ...lot(id, account, 1 + (index % 100)), asset: 'b0', reserved: 0 });
      }
      return map;
    },
  },
  {
    what: 'reservation',
    record: 'reservations',
    count: RESERVATIONS,
    begin() {
      const ledger = new Ledger();
      for (let index = 0; index < ORDER_ACCOUNTS; index++)
        apply(ledger, cashDeposit(accountId(index), 1_000_000_000_00));
      apply(ledger, { kind: 'own', book: BOOK, owner: 'bench', previousOwner: '' });
      return {
        ledger,
        add: () => {
          for (let batch = 1; batch <= RESERVATIONS / BATCH_ORDERS; batch++) apply(ledger, batchOf(batch));
        },
      };
    },
    objects() {
      const map = new Map<string, object>();
      for (let batch = 1; batch <= RESERVATIONS / BATCH_ORDERS; batch++)
        for (const { id, account, side, reserve, allowance, position } of batchOf(batch).orders)
          map.set(id, { id, account, side, reserve, allowance, position, book: BOOK, daily: null });
      return map;
    },
  },
];

function cashDeposit(account: string, amount: number): LedgerTransaction {
  return deposit(account, 'usd', amount, []);
}

function addLots(ledger: Ledger): void {
  for (let index = 0; index < LOTS; index++) {
    const account = accountId(Math.floor(index / LOTS_PER_ACCOUNT));
    const quantity = 1 + (index % 100);
    apply(ledger, deposit(account, 'b0', quantity, [lot(`${crypto.randomUUID()}.0`, account, quantity)]));
  }
}

function lot(id: string, account: string, quantity: number) {
  return { id, account, quantity, cost: 100, acquiredAt: TIME, restrictionEndsAt: TIME, offeringType: 'reg_d' };
}

function deposit(
  account: string,
  asset: string,
  amount: number,
  lots: readonly ReturnType<typeof lot>[],
): LedgerTransaction {
  const rest = { cost: 0, reference: null, createdAt: TIME, event: null } as const;
  const id = crypto.randomUUID();
  return { kind: 'transfer', type: 'deposit', id, account, asset, amount, tracksLots: lots.length > 0, lots, ...rest };
}

/** Buys that rest, as a book asks for their admission. */
function batchOf(batch: number): BookBatch {
  const orders = Array.from({ length: BATCH_ORDERS }, (_, index) => buy(batch * BATCH_ORDERS + index));
  const fence = { book: BOOK, owner: 'bench', batch, settledFrom: 0, settledTo: 0 };
  const market = { baseAsset: 'b0', quoteAsset: 'usd', tracksLots: false, emitsEvents: false } as const;
  return { kind: 'batch', ...fence, ...market, chunks: [], orders, amendments: [] };
}

function buy(number: number): OrderAdmission {
  const quantity = 1 + (number % 100);
  const price = 99_00 + (number % 60);
  return {
    id: uuidv7(),
    account: accountId(number % ORDER_ACCOUNTS),
    owner: 'bench',
    keyId: null,
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    quantity,
    price,
    stopPrice: null,
    expiresAt: null,
    clientOrderId: null,
    status: 'open',
    reserveAsset: 'usd',
    reserve: price * quantity,
    allowanceAsset: null,
    allowance: 0,
    positionAsset: null,
    position: 0,
    factsVersion: 1,
    rulesVersion: 1,
    createdAt: TIME,
    code: null,
    daily: null,
  };
}

function ledgerBytes({ begin, count, record }: Kind): number {
  const { ledger, add } = begin();
  const recordsBefore = ledger.size[record];
  const before = memoryInUse_bytes();
  add();
  const bytes = memoryInUse_bytes() - before;
  const held = ledger.size[record] - recordsBefore;
  if (held !== count) throw new Error(`${held} ${record} instead of ${count}`);
  return bytes / count;
}

function objectBytes({ objects, count }: Kind): number {
  const before = memoryInUse_bytes();
  const map = objects();
  const bytes = memoryInUse_bytes() - before;
  if (map.size !== count) throw new Error(`${map.size} records instead of ${count}`);
  return bytes / count;
}

const measured = KINDS.map((kind) => {
  collectGarbage();
  const { what, count } = kind;
  return { what, count, ledger_bytes: Math.round(ledgerBytes(kind)), object_bytes: Math.round(objectBytes(kind)) };
});
printReport({
  bench: 'memory',
  ratio: Math.min(...measured.map(({ ledger_bytes, object_bytes }) => object_bytes / ledger_bytes)),
  table: measured.map(({ what, count, ledger_bytes, object_bytes }) => ({
    record: what,
    count,
    'bytes in the ledger': ledger_bytes,
    'bytes as objects': object_bytes,
  })),
  figures: { measured },
});
