import { type ExistingOrder, readExistingOrder } from '../../../data/orders/existing-order.ts';
import type { UnjournaledHold } from '../../../domain/ledger/outcomes.ts';
import type { MarketStatus } from '../../../domain/markets/market.ts';
import { type CommitAnswer, type LedgerApi, ledgerOf, PROJECTED_WAIT_MS } from '../../ledger/api.ts';
import { answeredWithin, type Timer } from './answer-watch.ts';

/** Longest wait for an answer that the ledger has at hand. */
const ANSWER_WAIT_MS = 2_000;
/** Longest wait for an answer that the ledger itself may wait for. */
const PROJECTED_ANSWER_WAIT_MS = PROJECTED_WAIT_MS + ANSWER_WAIT_MS;

/** The ledger as one order book sees it. Every method throws when the outcome is unknown, and may then be repeated unchanged. */
export interface BookLedger {
  /**
   * Sends a batch. The caller bounds the wait of this call; the others have bounds of their own.
   *
   * @param batch a `batchText` (domain/ledger/batch-text.ts)
   */
  commit(batch: string): Promise<CommitAnswer>;
  /** Takes the book over from whoever owns it, and reads what that owner left. */
  takeOwnership(book: string, owner: string, lastJournaledBatch: number): Promise<Ownership>;
  /** Resolves once D1 has what the ledger had at the call; false when it does not in time. */
  projected(): Promise<boolean>;
  /** What became of an order that the book has no longer, asked for by this account. */
  order(orderId: string, account: string | null): Promise<ExistingOrder | null>;
}

/** The ledger has made this instance the owner. */
export interface Taken {
  readonly type: 'taken';
  readonly batch: number;
  readonly settled: number;
  /** What the ledger admitted and the journal does not have. */
  readonly unjournaled: readonly UnjournaledHold[];
  /** Rules as the ledger has them. */
  readonly market: { readonly version: number; readonly status: MarketStatus };
  readonly venueHalted: boolean;
}

/** `fenced`: another instance took the book over in between, and this one must stop. */
type Ownership = Taken | { readonly type: 'fenced'; readonly owner: string };

/** The ledger object, and the read model for what has ended. A call that neither answers nor fails counts as failed. */
export function objectBookLedger(env: Pick<Env, 'LEDGER' | 'DB' | 'ORDER_ARCHIVE'>, timer: Timer): BookLedger {
  /** A fresh stub for every call: after an exception a stub stays broken. */
  const ledger = (): LedgerApi => ledgerOf(env);
  const projected = (): Promise<boolean> => answeredWithin(timer, PROJECTED_ANSWER_WAIT_MS, ledger().projected());
  return {
    projected,
    commit: async (batch) => JSON.parse(await ledger().commitText(batch)) as CommitAnswer,
    takeOwnership: async (book, owner, lastJournaledBatch) => {
      const fence = await answeredWithin(timer, ANSWER_WAIT_MS, ledger().fence(book));
      const own = { kind: 'own', book, owner, previousOwner: fence.owner } as const;
      const outcome = await answeredWithin(timer, ANSWER_WAIT_MS, ledger().takeOwnership(own));
      if (outcome.type === 'fenced') return { type: 'fenced', owner: outcome.owner };
      const { batch, settled, admitted, market, venueHalted } = outcome;
      const unjournaled = batch > lastJournaledBatch ? admitted : [];
      return { type: 'taken', batch, settled, unjournaled, market, venueHalted };
    },
    order: async (orderId, account) => {
      if (!(await projected())) throw new Error('D1 is behind the ledger');
      return readExistingOrder(env, orderId, account);
    },
  };
}
