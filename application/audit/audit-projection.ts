import type { AuditRow } from '../../data/audit/audit-check.ts';
import { heldPageInD1, heldRowsInD1 } from '../../data/audit/held-rows.ts';
import { database } from '../../data/database.ts';
import type { HeldKind, HeldPage, HeldRow } from '../../domain/ledger/held-rows.ts';
import { HELD_ROWS_MAX } from '../../durable-objects/ledger/api.ts';
import { askLedger } from '../ledger/ask-ledger.ts';
import type { LedgerEnv } from '../ledger/ledger-env.ts';
import { projected } from '../ledger/projected.ts';

/** What moves between two readings, or has yet to get to D1, is read again. */
const TRIES_MAX = 4;

const CLAIMS: Readonly<Record<HeldKind, string>> = {
  balance: 'the balances in D1 are those of the ledger',
  lot: 'the lots in D1 are those of the ledger',
  unsettled: 'what waits to settle in D1 is what waits in the ledger',
  order: 'the open orders in D1 are those of the ledger, and hold what it reserves for them',
};

/**
 * Compares everything that the ledger holds with what D1 shows of it, page by page, and what D1 shows with what the ledger holds. What trades all
 * the while may be left unexamined.
 */
export async function auditProjection(env: LedgerEnv, pageRows = HELD_ROWS_MAX): Promise<AuditRow[]> {
  const rows: AuditRow[] = [];
  for (const kind of Object.keys(CLAIMS) as HeldKind[]) {
    const { examined, violation } = await new Comparison(env, kind, pageRows).run();
    rows.push({ invariant: 'projection', claim: CLAIMS[kind], holds: violation === null, examined, violation });
  }
  return rows;
}

class Comparison {
  readonly #env: LedgerEnv;
  readonly #kind: HeldKind;
  readonly #pageRows: number;
  #examined = 0;

  constructor(env: LedgerEnv, kind: HeldKind, pageRows: number) {
    this.#env = env;
    this.#kind = kind;
    this.#pageRows = pageRows;
  }

  async run(): Promise<{ readonly examined: number; readonly violation: string | null }> {
    const violation = (await this.#overLedger()) ?? (await this.#overD1());
    return { examined: this.#examined, violation };
  }

  async #overLedger(): Promise<string | null> {
    for (let from: number | null = 0; from !== null; ) {
      const start: number = from;
      const page: HeldPage | null = await askLedger(this.#env, (ledger) =>
        ledger.heldPage(this.#kind, start, this.#pageRows),
      );
      if (page === null) return 'the ledger did not answer';
      const violation = await this.#differenceOf(page.rows.map(({ key }) => key));
      if (violation !== null) return violation;
      from = page.next;
    }
    return null;
  }

  /** What D1 shows and the ledger does not have. */
  async #overD1(): Promise<string | null> {
    const examined = this.#examined;
    for (let after: string | null = null; ; ) {
      const page: HeldRow[] = await heldPageInD1(database(this.#env.DB), this.#kind, after, this.#pageRows);
      const keys = page.map(({ key }) => key);
      const inLedger = await this.#inLedger(keys);
      if (inLedger === null) return 'the ledger did not answer';
      const violation = await this.#differenceOf(keys.filter((key) => !inLedger.has(key)));
      // These have been counted, unless the ledger has not got them.
      this.#examined = examined;
      if (violation !== null || page.length < this.#pageRows) return violation;
      after = keys.at(-1) ?? null;
    }
  }

  /** The first of these keys of which D1 shows something else than the ledger has, at each try, while the ledger's stays as it is. */
  async #differenceOf(keys: readonly string[]): Promise<string | null> {
    let open = keys;
    let difference: string | null = null;
    for (let tries = 0; tries < TRIES_MAX && open.length > 0; tries++) {
      const before = await this.#inLedger(open);
      if (!(await projected(this.#env))) return 'D1 is behind the ledger';
      const inD1 = saidBy(await heldRowsInD1(database(this.#env.DB), this.#kind, open));
      const after = await this.#inLedger(open);
      if (before === null || after === null) return 'the ledger did not answer';
      const isStill = (key: string): boolean => before.get(key) === after.get(key);
      const unequal = open.filter((key) => !isStill(key) || inD1.get(key) !== after.get(key));
      this.#examined += open.length - unequal.length;
      const [differing] = unequal.filter(isStill);
      difference =
        differing === undefined
          ? null
          : `${this.#kind} ${differing}: ${after.get(differing) ?? 'nothing'}; in D1 ${inD1.get(differing) ?? 'nothing'}`;
      open = unequal;
    }
    return difference;
  }

  async #inLedger(keys: readonly string[]): Promise<ReadonlyMap<string, string> | null> {
    if (keys.length === 0) return new Map();
    const rows = await askLedger(this.#env, (ledger) => ledger.heldRows(this.#kind, keys));
    return rows === null ? null : saidBy(rows);
  }
}

function saidBy(rows: readonly HeldRow[]): ReadonlyMap<string, string> {
  return new Map(rows.map(({ key, says }) => [key, says]));
}
