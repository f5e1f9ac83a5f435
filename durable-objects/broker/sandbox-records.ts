const STATE_KEY = 'state';
const FAULTS_KEY = 'faults';
/** Orders that have ended are known so long: until so many came after them. */
const ENDED_ORDERS_MAX = 100_000;
/** Rows deleted at a time, so that no call waits long. */
export const DELETED_MAX = 1_000;

interface StoredOrder {
  /** Place among all orders. */
  readonly sequence: number;
  readonly status: string;
}

export interface OrderTable<State, Order> {
  readonly name: string;
  /** Before the first order. */
  readonly newState: State;
  clientOrderIdOf(order: Order): string;
}

/** What every sandbox of a symbol has on disk: how its market stands, its orders, and what goes wrong. */
export class SandboxRecords<State, Order extends StoredOrder, Faults> {
  protected readonly storage: DurableObjectStorage;
  protected readonly sql: SqlStorage;
  readonly #table: OrderTable<State, Order>;

  constructor(storage: DurableObjectStorage, table: OrderTable<State, Order>) {
    this.storage = storage;
    this.sql = storage.sql;
    this.#table = table;
    this.sql.exec(`
      CREATE TABLE IF NOT EXISTS ${table.name} (sequence INTEGER PRIMARY KEY, client_order_id TEXT NOT NULL UNIQUE, is_open INTEGER NOT NULL, record TEXT NOT NULL);
      CREATE INDEX IF NOT EXISTS open_orders ON ${table.name} (sequence) WHERE is_open = 1;
    `);
  }

  get state(): State {
    return this.storage.kv.get<State>(STATE_KEY) ?? this.#table.newState;
  }

  get faults(): Faults | null {
    return this.storage.kv.get<Faults>(FAULTS_KEY) ?? null;
  }

  setFaults(faults: Faults | null): void {
    if (faults === null) this.storage.kv.delete(FAULTS_KEY);
    else this.storage.kv.put(FAULTS_KEY, faults);
  }

  findOrder(clientOrderId: string): Order | null {
    const [row] = this.sql
      .exec<{ record: string }>(`SELECT record FROM ${this.#table.name} WHERE client_order_id = ?`, clientOrderId)
      .toArray();
    return row === undefined ? null : (JSON.parse(row.record) as Order);
  }

  /** Open orders after a sequence, oldest first; all of them without a count. */
  openOrders(after = -1, count = -1): Order[] {
    return this.sql
      .exec<{ record: string }>(
        `SELECT record FROM ${this.#table.name} WHERE is_open = 1 AND sequence > ? ORDER BY sequence LIMIT ?`,
        after,
        count,
      )
      .toArray()
      .map(({ record }) => JSON.parse(record) as Order);
  }

  get openCount(): number {
    return this.sql.exec<{ open: number }>(`SELECT COUNT(*) AS open FROM ${this.#table.name} WHERE is_open = 1`).one()
      .open;
  }

  /** To be called in a transaction: how the market stands, and orders that it has changed. */
  protected write(state: State & { readonly orders: number }, orders: readonly Order[]): void {
    const { name, clientOrderIdOf } = this.#table;
    this.storage.kv.put(STATE_KEY, state);
    for (const order of orders) {
      this.sql.exec(
        `INSERT OR REPLACE INTO ${name} (sequence, client_order_id, is_open, record) VALUES (?, ?, ?, ?)`,
        order.sequence,
        clientOrderIdOf(order),
        order.status === 'open' ? 1 : 0,
        JSON.stringify(order),
      );
    }
    this.sql.exec(
      `DELETE FROM ${name} WHERE sequence IN (SELECT sequence FROM ${name} WHERE is_open = 0 AND sequence < ? LIMIT ?)`,
      state.orders - ENDED_ORDERS_MAX,
      DELETED_MAX,
    );
  }
}
