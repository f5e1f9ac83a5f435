import { findBreachedKeys } from '../../data/breached-keys.ts';
import type { Database } from '../../data/database.ts';
import type { SettlementChunk } from '../../domain/ledger/records.ts';
import type { MassCancelCommand } from './api.ts';

/** The first fill is looked at at once; while more settle, or the database is away, it is asked this often. No order waits for it. */
const CHECK_EVERY_MS = 1_000;

/** What the watch needs of the object it runs in. */
export interface LossWatchHost {
  readonly db: Database;
  /** Resolves once the database shows what has settled; false when it does not in time. */
  projected(): Promise<boolean>;
  cancel(symbol: string, command: MassCancelCommand): Promise<unknown>;
  warn(reason: string): void;
}

/**
 * Cancels the open orders of an API key once a settled fill takes it to its daily loss limit (DESIGN 8). What a crash
 * keeps it from seeing is seen at the key's next fill, and order entry refuses the key's orders in any case.
 */
export class LossWatch {
  readonly #host: LossWatchHost;
  #traded = new Set<string>();
  #checking = false;

  constructor(host: LossWatchHost) {
    this.#host = host;
  }

  settled(chunks: readonly SettlementChunk[]): void {
    for (const { trades } of chunks) {
      for (const { buyer, seller } of trades) this.#traded.add(buyer).add(seller);
    }
    if (!this.#checking && this.#traded.size > 0) void this.#check();
  }

  async #check(): Promise<void> {
    this.#checking = true;
    while (this.#traded.size > 0) {
      const accounts = this.#traded;
      this.#traded = new Set();
      try {
        if (!(await this.#host.projected())) throw new Error('the database is behind the ledger');
        for (const { account, keyId, books } of await findBreachedKeys(this.#host.db, accounts, Date.now())) {
          const command = { type: 'mass_cancel', account, keyId, side: null, reason: 'revoked' } as const;
          await Promise.all(books.map((symbol) => this.#host.cancel(symbol, command)));
        }
      } catch (error) {
        for (const account of accounts) this.#traded.add(account);
        this.#host.warn(error instanceof Error ? error.message : String(error));
      }
      await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
    }
    this.#checking = false;
  }
}
