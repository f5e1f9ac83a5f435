import type { BrokerEvent, BrokerExecution } from '../../domain/broker/broker-client.ts';
import type { SandboxFaults } from '../../domain/sandbox-broker/faults.ts';
import { type MarketState, NEW_MARKET } from '../../domain/sandbox-broker/sandbox-market.ts';
import type { SandboxOrder } from '../../domain/sandbox-broker/sandbox-order.ts';
import { DELETED_MAX, SandboxRecords } from '../broker/sandbox-records.ts';

const READ_KEY = 'read';
/** Events that were read are kept for a reader that asks again. */
const READ_EVENTS_MAX = 10_000;

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
export class SandboxBrokerRecords extends SandboxRecords<MarketState, SandboxOrder, SandboxFaults> {
  constructor(storage: DurableObjectStorage) {
    super(storage, {
      name: 'broker_orders',
      newState: NEW_MARKET,
      clientOrderIdOf: ({ placed }) => placed.clientOrderId,
    });
    this.sql.exec(`
      CREATE TABLE IF NOT EXISTS told (position INTEGER PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS untold (id INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, event TEXT NOT NULL);
      CREATE INDEX IF NOT EXISTS untold_by_time ON untold (at_ms, id);
    `);
  }

  /** Position up to which the client has read, as far as its cursor says. */
  get read(): number {
    return this.storage.kv.get<number>(READ_KEY) ?? 0;
  }

  /** Events that the client has not read, told or not. */
  get unread(): number {
    const [row] = this.sql.exec<{ waiting: number }>('SELECT COUNT(*) AS waiting FROM untold').toArray();
    return this.#lastPosition() - this.read + (row?.waiting ?? 0);
  }

  findExecution(executionId: string): BrokerExecution | null {
    const rows = this.sql
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
    this.storage.transactionSync(() => {
      this.write(state, orders);
      for (const { at_ms, event } of tellings) {
        this.sql.exec('INSERT INTO untold (at_ms, event) VALUES (?, ?)', at_ms, JSON.stringify(event));
      }
      this.sql.exec(
        'INSERT INTO told (event) SELECT event FROM untold WHERE at_ms <= ? ORDER BY at_ms, id',
        state.clock_ms,
      );
      this.sql.exec('DELETE FROM untold WHERE at_ms <= ?', state.clock_ms);
    });
  }

  /** Events after a position; null where the position is none that the client can have. */
  toldAfter(position: number, eventsMax: number): ToldEvent[] | null {
    if (position > this.#lastPosition() || position < this.#forgottenTo()) return null;
    return this.sql
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
    this.storage.kv.put(READ_KEY, position);
    this.sql.exec(
      'DELETE FROM told WHERE position IN (SELECT position FROM told WHERE position <= ? LIMIT ?)',
      position - READ_EVENTS_MAX,
      DELETED_MAX,
    );
  }

  #hasDue(now_ms: number): boolean {
    return this.sql.exec('SELECT 1 FROM untold WHERE at_ms <= ? LIMIT 1', now_ms).toArray().length > 0;
  }

  #lastPosition(): number {
    const [row] = this.sql.exec<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'told'").toArray();
    return row?.seq ?? 0;
  }

  #forgottenTo(): number {
    const [row] = this.sql.exec<{ first: number | null }>('SELECT MIN(position) AS first FROM told').toArray();
    return (row?.first ?? this.#lastPosition() + 1) - 1;
  }
}
