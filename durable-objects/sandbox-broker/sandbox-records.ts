import type { BrokerEvent, BrokerExecution } from '../../domain/broker/broker-client.ts';
import type { SandboxFaults } from '../../domain/sandbox-broker/faults.ts';
import { type MarketState, NEW_MARKET } from '../../domain/sandbox-broker/sandbox-market.ts';
import type { SandboxOrder } from '../../domain/sandbox-broker/sandbox-order.ts';

const STATE_KEY = 'state';
const FAULTS_KEY = 'faults';
const READ_KEY = 'read';
/** Orders that have ended are known so long: until so many came after them. */
const ENDED_ORDERS_MAX = 100_000;
/** Events that were read are kept for a reader that asks again. */
const READ_EVENTS_MAX = 10_000;
/** Rows deleted at a time, so that no call waits long. */
const DELETED_MAX = 1_000;

/** An event with the time at which it is told. */
export interface Telling {
  readonly at_ms: number;
  readonly event: BrokerEvent;
}

/** An event in the order in which it was told. */
export interface ToldEvent {
  readonly position: number;
  readonly event: BrokerEvent;
}

/** What the sandbox broker of a symbol has on disk. An event is told as soon as it has a position; until then it waits for its time. */
export class SandboxRecords {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS broker_orders (sequence INTEGER PRIMARY KEY, client_order_id TEXT NOT NULL UNIQUE, is_open INTEGER NOT NULL, record TEXT NOT NULL);
      CREATE INDEX IF NOT EXISTS open_orders ON broker_orders (sequence) WHERE is_open = 1;
      CREATE TABLE IF NOT EXISTS told (position INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS untold (id INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, event TEXT NOT NULL);
      CREATE INDEX IF NOT EXISTS untold_by_time ON untold (at_ms, id);
    `);
  }

  get state(): MarketState {
    return this.#storage.kv.get<MarketState>(STATE_KEY) ?? NEW_MARKET;
  }

  get faults(): SandboxFaults | null {
    return this.#storage.kv.get<SandboxFaults>(FAULTS_KEY) ?? null;
  }

  setFaults(faults: SandboxFaults | null): void {
    if (faults === null) this.#storage.kv.delete(FAULTS_KEY);
    else this.#storage.kv.put(FAULTS_KEY, faults);
  }

  /** Position up to which the client has read, as far as its cursor says. */
  get read(): number {
    return this.#storage.kv.get<number>(READ_KEY) ?? 0;
  }

  /** Events that the client has not read, told or not. */
  get unread(): number {
    const [row] = this.#sql.exec<{ waiting: number }>('SELECT COUNT(*) AS waiting FROM untold').toArray();
    return this.#lastPosition() - this.read + (row?.waiting ?? 0);
  }

  openOrders(): SandboxOrder[] {
    return this.#sql
      .exec<{ record: string }>('SELECT record FROM broker_orders WHERE is_open = 1 ORDER BY sequence')
      .toArray()
      .map(({ record }) => JSON.parse(record) as SandboxOrder);
  }

  findOrder(clientOrderId: string): SandboxOrder | null {
    const [row] = this.#sql
      .exec<{ record: string }>('SELECT record FROM broker_orders WHERE client_order_id = ?', clientOrderId)
      .toArray();
    return row === undefined ? null : (JSON.parse(row.record) as SandboxOrder);
  }

  findExecution(executionId: string): BrokerExecution | null {
    const rows = this.#sql
      .exec<{ event: string }>(
        `SELECT event FROM (SELECT event FROM told UNION ALL SELECT event FROM untold) WHERE event ->> 'executionId' = ?`,
        executionId,
      )
      .toArray();
    const events = rows.map(({ event }) => JSON.parse(event) as BrokerEvent);
    if (events.some(({ type }) => type === 'bust' || type === 'correct')) return null;
    return (
      events.find((event): event is BrokerExecution => event.type === 'fill' || event.type === 'partial_fill') ?? null
    );
  }

  /**
   * Writes what a call has changed, and tells what is due by now, all or nothing. Where that is nothing, the time is not written either: it
   * would be lived through again to the same end.
   */
  keep(state: MarketState, orders: readonly SandboxOrder[], tellings: readonly Telling[]): void {
    if (orders.length === 0 && tellings.length === 0 && !this.#hasDue(state.clock_ms)) return;
    this.#storage.transactionSync(() => {
      this.#storage.kv.put(STATE_KEY, state);
      for (const order of orders) {
        this.#sql.exec(
          'INSERT OR REPLACE INTO broker_orders (sequence, client_order_id, is_open, record) VALUES (?, ?, ?, ?)',
          order.sequence,
          order.placed.clientOrderId,
          order.status === 'open' ? 1 : 0,
          JSON.stringify(order),
        );
      }
      for (const { at_ms, event } of tellings) {
        this.#sql.exec('INSERT INTO untold (at_ms, event) VALUES (?, ?)', at_ms, JSON.stringify(event));
      }
      this.#sql.exec(
        'INSERT INTO told (event) SELECT event FROM untold WHERE at_ms <= ? ORDER BY at_ms, id',
        state.clock_ms,
      );
      this.#sql.exec('DELETE FROM untold WHERE at_ms <= ?', state.clock_ms);
      this.#sql.exec(
        'DELETE FROM broker_orders WHERE sequence IN (SELECT sequence FROM broker_orders WHERE is_open = 0 AND sequence < ? LIMIT ?)',
        state.orders - ENDED_ORDERS_MAX,
        DELETED_MAX,
      );
    });
  }

  /** Events after a position; null where the position is none that the client can have. */
  toldAfter(position: number, eventsMax: number): ToldEvent[] | null {
    if (position > this.#lastPosition() || position < this.#forgottenTo()) return null;
    return this.#sql
      .exec<{ position: number; event: string }>(
        'SELECT position, event FROM told WHERE position > ? ORDER BY position LIMIT ?',
        position,
        eventsMax,
      )
      .toArray()
      .map((row) => ({ position: row.position, event: JSON.parse(row.event) as BrokerEvent }));
  }

  /** The client has stored everything up to here. */
  acknowledge(position: number): void {
    if (position <= this.read) return;
    this.#storage.kv.put(READ_KEY, position);
    this.#sql.exec(
      'DELETE FROM told WHERE position IN (SELECT position FROM told WHERE position <= ? LIMIT ?)',
      position - READ_EVENTS_MAX,
      DELETED_MAX,
    );
  }

  #hasDue(now_ms: number): boolean {
    return this.#sql.exec('SELECT 1 FROM untold WHERE at_ms <= ? LIMIT 1', now_ms).toArray().length > 0;
  }

  #lastPosition(): number {
    const [row] = this.#sql.exec<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'told'").toArray();
    return row?.seq ?? 0;
  }

  #forgottenTo(): number {
    const [row] = this.#sql.exec<{ first: number | null }>('SELECT MIN(position) AS first FROM told').toArray();
    return (row?.first ?? this.#lastPosition() + 1) - 1;
  }
}
