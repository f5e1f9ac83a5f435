import { DurableObject } from 'cloudflare:workers';
import type { KnownCoin, PaymentOrder, Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import { isEvmChain } from '../../domain/bridge/chains/evm/evm-chains.ts';
import { outpointsOf } from '../../domain/bridge/chains/outpoints.ts';
import type { AskingTransfer, LaneTurn } from '../../domain/bridge/lane-turns.ts';
import type { PaidOutTransfer } from '../../domain/bridge/signing/bridge-signer.ts';
import type { ChainCalls } from '../../protocol/bridge/chains-api.ts';
import { chainsOf } from '../bridge-chains/chains-of.ts';
import type { ChainWatcherApi, LaneTurnsApi, ReferenceAnswer } from './api.ts';
import { LaneTurns } from './lane-turns.ts';

/** References that are taken, and deposits that a payment may spend, at most: what a call of an adapter is handed. */
const TAKEN_MAX = 1_000;
const DEPOSITED_MAX = 1_000;
/** Coins, newest first, that an adapter is told of: it looks each up by itself, and may have to look up all. */
const COINS_MAX = 160;

/** The references and deposits of one vault; or of a lane, who waits in it. */
export class ChainWatcher extends DurableObject<Env> implements ChainWatcherApi, LaneTurnsApi {
  readonly #sql = this.ctx.storage.sql;
  readonly #turns = new LaneTurns(this.#sql);
  /** References are chosen one after another: two that are chosen side by side might spend the same. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS payments (commitment TEXT NOT NULL, kind TEXT NOT NULL, attempt INTEGER NOT NULL, reference TEXT NOT NULL,
        is_over INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (commitment, kind, attempt)) STRICT, WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS payments_taken ON payments (commitment) WHERE is_over = 0;
      CREATE TABLE IF NOT EXISTS deposits (commitment TEXT PRIMARY KEY, at INTEGER NOT NULL, paid_out TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS deposits_at ON deposits (at);
      CREATE TABLE IF NOT EXISTS coins (reference TEXT PRIMARY KEY, commitment TEXT, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS coins_at ON coins (at)`);
  }

  referenceFor(
    vault: Vault,
    order: Omit<PaymentOrder, 'reference'> & { readonly attempt: number },
    deposit?: string,
  ): Promise<ReferenceAnswer> {
    const next = this.#last.then(() => this.#choose(vault, order, deposit));
    this.#last = next.catch(() => undefined);
    return next;
  }

  async takeBack({ commitment, kind, reference }: Parameters<ChainWatcherApi['takeBack']>[0]): Promise<void> {
    const forget = 'DELETE FROM payments WHERE commitment = ? AND kind = ? AND reference = ? AND is_over = 0';
    this.#sql.exec(forget, commitment, kind, reference);
  }

  async deposited(commitment: string, paidOut: PaidOutTransfer, deposit?: string): Promise<void> {
    // It is told again until all signers have noted it: a coin that is spent meanwhile would take the place of one that is not.
    const isKnown = this.#sql.exec('SELECT 1 FROM deposits WHERE commitment = ?', commitment).toArray().length > 0;
    if (isKnown) return;
    this.#sql.exec('INSERT INTO deposits VALUES (?, ?, ?)', commitment, Date.now(), JSON.stringify(paidOut));
    if (deposit !== undefined) this.#remember({ reference: deposit, commitment });
  }

  async paidOut(commitments: readonly string[]): Promise<readonly PaidOutTransfer[]> {
    return commitments.flatMap((commitment) =>
      this.#sql
        .exec<{ paid_out: string }>('SELECT paid_out FROM deposits WHERE commitment = ?', commitment)
        .toArray()
        .map(({ paid_out }) => JSON.parse(paid_out) as PaidOutTransfer),
    );
  }

  async ended(commitment: string, by?: string): Promise<void> {
    const query = 'SELECT reference AS value FROM payments WHERE commitment = ? AND is_over = 0';
    const under = this.#sql.exec<{ value: string }>(query, commitment).toArray();
    const spent = by === undefined ? [] : under.flatMap(({ value }) => outpointsOf(value));
    for (const outpoint of spent) {
      const [transaction = ''] = outpoint.split(':');
      const forget = 'DELETE FROM coins WHERE reference = ? OR (reference = ? AND commitment IS NULL)';
      this.#sql.exec(forget, outpoint, transaction);
    }
    if (by !== undefined && spent.length > 0) this.#remember({ reference: by, commitment: null });
    this.#sql.exec('UPDATE payments SET is_over = 1 WHERE commitment = ? AND is_over = 0', commitment);
  }

  async turnOf(asking: AskingTransfer): Promise<LaneTurn> {
    return this.#turns.turnOf(asking, Date.now());
  }

  async takesAgain(commitment: string, reference: string): Promise<boolean> {
    const query = 'SELECT reference AS value FROM payments WHERE is_over = 0 AND commitment <> ? LIMIT ?';
    const taken = this.#sql.exec<{ value: string }>(query, commitment, TAKEN_MAX).toArray();
    const others = new Set(taken.flatMap(({ value }) => outpointsOf(value)));
    if (taken.length === TAKEN_MAX || outpointsOf(reference).some((outpoint) => others.has(outpoint))) return false;
    const update = 'UPDATE payments SET is_over = 0 WHERE commitment = ? AND reference = ?';
    this.#sql.exec(update, commitment, reference);
    return true;
  }

  async waits(waiting: Parameters<LaneTurnsApi['waits']>[0], hasAsked: boolean): Promise<void> {
    this.#turns.waits(waiting, hasAsked);
  }

  async leaves(commitment: string): Promise<void> {
    this.#turns.leaves(commitment);
  }

  async gaveBack(transfer: Parameters<LaneTurnsApi['gaveBack']>[0]): Promise<void> {
    this.#turns.gaveBack(transfer, Date.now());
  }

  /** Tests have chains of their own. */
  protected chains(): ChainCalls {
    return chainsOf(this.env);
  }

  async #choose(
    vault: Vault,
    order: Omit<PaymentOrder, 'reference'> & { readonly attempt: number },
    deposit: string | undefined,
  ): Promise<ReferenceAnswer> {
    const { commitment, kind, attempt } = order;
    const [known] = this.#sql
      .exec<{ reference: string }>(
        'SELECT reference FROM payments WHERE commitment = ? AND kind = ? AND attempt = ?',
        commitment,
        kind,
        attempt,
      )
      .toArray();
    if (known !== undefined) return { reference: known.reference };
    // A contract takes ids that follow from a payment: no two meet, so one that nobody ends is in nobody's way.
    const taken = isEvmChain(vault.chain)
      ? []
      : this.#column('SELECT reference AS value FROM payments WHERE is_over = 0 LIMIT ?', TAKEN_MAX);
    if (taken.length === TAKEN_MAX) return { reference: null, reason: 'too_little' };
    const deposited = this.#column('SELECT commitment AS value FROM deposits ORDER BY at DESC LIMIT ?', DEPOSITED_MAX);
    const own = deposit === undefined ? [] : [{ reference: deposit, commitment }];
    const coins = kind === 'refund' ? own : this.#coins();
    const reference = await this.#referenceOf(vault, order, { taken, deposited, coins });
    if (reference === 'too_little' || reference === 'unbuildable') return { reference: null, reason: reference };
    const insert = 'INSERT INTO payments (commitment, kind, attempt, reference) VALUES (?, ?, ?, ?)';
    this.#sql.exec(insert, commitment, kind, attempt, reference);
    return { reference };
  }

  async #referenceOf(...asked: Parameters<ChainCalls['referenceFor']>): Promise<string> {
    try {
      return (await this.chains().referenceFor(...asked)) ?? 'too_little';
    } catch (error) {
      if (error instanceof RangeError) return 'unbuildable';
      throw error;
    }
  }

  #remember({ reference, commitment }: KnownCoin): void {
    this.#sql.exec('INSERT OR IGNORE INTO coins VALUES (?, ?, ?)', reference, commitment, Date.now());
  }

  #coins(): KnownCoin[] {
    return this.#sql
      .exec<KnownCoin & Record<string, SqlStorageValue>>(
        'SELECT reference, commitment FROM coins ORDER BY at DESC LIMIT ?',
        COINS_MAX,
      )
      .toArray();
  }

  #column(query: string, limit: number): string[] {
    return this.#sql
      .exec<{ value: string }>(query, limit)
      .toArray()
      .map(({ value }) => value);
  }
}
