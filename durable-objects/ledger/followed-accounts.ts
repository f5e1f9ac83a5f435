import { refusalCode } from '../../data/ledger/projection/refusal-code.ts';
import type { AccountEvent, AccountRow, EnteredOrder } from '../../domain/ledger/account-events.ts';
import type { JournaledTransaction, JournalRow } from '../../domain/ledger/journal-row.ts';
import type { BatchOutcome, LedgerOutcome } from '../../domain/ledger/outcomes.ts';
import type { AccountBalance, HeldAssets, OrderAdmission, SettlementChunk } from '../../domain/ledger/records.ts';
import type { BookBatch, RejectedOrder, TradeAdjustment } from '../../domain/ledger/transactions.ts';
import { isFinal } from '../../domain/order-state/order-state.ts';

/** An account that somebody follows. */
interface Followed {
  readonly openOrders: Set<string>;
  /** Of the row that is being read. */
  events: AccountEvent[];
  readonly touched: Set<string>;
}

/** Picks out of each row of the journal what concerns the accounts that somebody follows. Rows of others cost a look at their accounts. */
export class FollowedAccounts {
  readonly #accounts = new Map<string, Followed>();
  /** Open orders of followed accounts, with their account: what a book says of an order does not name it. */
  readonly #holders = new Map<string, string>();

  follow(account: string, openOrders: readonly string[]): void {
    if (this.#accounts.has(account)) return;
    this.#accounts.set(account, { openOrders: new Set(openOrders), events: [], touched: new Set() });
    for (const id of openOrders) this.#holders.set(id, account);
  }

  unfollow(account: string): void {
    for (const id of this.#accounts.get(account)?.openOrders ?? []) this.#holders.delete(id);
    this.#accounts.delete(account);
  }

  /** What the row says to each of them, their balances as they are after it. */
  eventsOf(
    { seq, time, entries }: JournalRow,
    balanceOf: (account: string, asset: string) => AccountBalance,
  ): Map<string, AccountRow> {
    const rows = new Map<string, AccountRow>();
    if (this.#accounts.size === 0) return rows;
    for (const entry of entries) this.#read(entry);
    for (const [account, followed] of this.#accounts) {
      for (const asset of followed.touched)
        followed.events.push({ type: 'balance', balance: balanceOf(account, asset) });
      if (followed.events.length > 0) rows.set(account, { seq, time, events: followed.events, goesOn: false });
      followed.events = [];
      followed.touched.clear();
    }
    return rows;
  }

  #read({ transaction, outcome }: JournaledTransaction): void {
    switch (transaction.kind) {
      case 'batch':
        this.#readBatch(transaction, outcome as BatchOutcome);
        return;
      case 'rejected_order':
        if (isDone(outcome)) this.#rejected(transaction.order);
        return;
      case 'transfer':
      case 'grant':
      case 'bridge':
        if (isDone(outcome)) this.#touch(transaction.account, transaction.asset);
        return;
      case 'transfer_request':
        if (isDone(outcome)) this.#touch(transaction.account, transaction.asset);
        return;
      case 'transfer_decision':
        if (outcome.type === 'done' && 'request' in outcome) this.#touch(transaction.account, outcome.request.asset);
        return;
      case 'adjust_trade':
        if (isDone(outcome)) this.#adjusted(transaction);
        return;
      case 'register_entry':
      case 'distribution':
        if (isDone(outcome)) for (const { account } of transaction.legs) this.#touch(account, transaction.asset);
        return;
      case 'split':
        if (outcome.type !== 'done' || !('changes' in outcome)) return;
        for (const { account } of outcome.changes) this.#touch(account, transaction.asset);
        for (const { account } of outcome.converted?.changes ?? [])
          this.#touch(account, outcome.converted?.asset ?? transaction.asset);
        return;
      case 'settle':
        if (outcome.type === 'done' && 'settled' in outcome)
          for (const { account, asset } of outcome.settled) this.#touch(account, asset);
        return;
      case 'resolve_break': {
        const { booking } = transaction;
        if (!isDone(outcome) || booking === null) return;
        this.#touch(booking.account, booking.quoteAsset);
        this.#touch(booking.account, booking.baseAsset);
        return;
      }
      case 'facts':
      case 'family':
      case 'revoke_keys':
      case 'market':
      case 'venue':
      case 'rate':
      case 'own':
      case 'cancelled':
      case 'ledger_rules':
        return;
      default:
        // Whoever adds a kind says here what of it concerns an account.
        transaction satisfies never;
    }
  }

  #adjusted({ book, baseAsset, quoteAsset, trade, to }: TradeAdjustment): void {
    for (const [account, side] of [[trade.buyer, 'buy'] as const, [trade.seller, 'sell'] as const]) {
      this.#accounts.get(account)?.events.push({ type: 'adjusted', book, side, trade, to });
      this.#touch(account, quoteAsset);
      this.#touch(account, baseAsset);
    }
  }

  #readBatch(batch: BookBatch, outcome: BatchOutcome): void {
    if (outcome.type !== 'landed') return;
    const { book } = batch;
    for (const chunk of batch.chunks) this.#readChunk(book, chunk);
    const refusals = new Map(outcome.refused.map(({ id, refusal }) => [id, refusal]));
    for (const order of batch.orders) {
      if (!this.#accounts.has(order.account)) continue;
      const refusal = refusals.get(order.id);
      const code = refusal === undefined ? order.code : refusalCode(refusal);
      if (refusal !== undefined && code === null) continue;
      this.#entered(order.account, book, entered(order, code));
      if (code === null) this.#touchHolds(order);
    }
    for (const amendment of batch.amendments) if (!refusals.has(amendment.id)) this.#touchHolds(amendment);
  }

  #readChunk(book: string, { trades, orders, balances, stopPrices = [] }: SettlementChunk): void {
    for (const trade of trades) {
      this.#accounts.get(trade.buyer)?.events.push({ type: 'traded', book, side: 'buy', trade });
      this.#accounts.get(trade.seller)?.events.push({ type: 'traded', book, side: 'sell', trade });
    }
    for (const state of orders) {
      const account = this.#holders.get(state.id);
      const followed = account === undefined ? undefined : this.#accounts.get(account);
      if (followed === undefined) continue;
      const moved = stopPrices.findLast(({ id }) => id === state.id);
      followed.events.push({ type: 'changed', book, state, ...(moved && { stopPrice: moved.stopPrice }) });
      if (!isFinal(state.status)) continue;
      followed.openOrders.delete(state.id);
      this.#holders.delete(state.id);
    }
    for (const { account, asset } of balances) this.#touch(account, asset);
  }

  #rejected({ account, book, code, ...order }: RejectedOrder): void {
    if (book !== null) this.#entered(account, book, entered({ ...order, status: 'rejected' }, code));
  }

  #entered(account: string, book: string, order: EnteredOrder): void {
    const followed = this.#accounts.get(account);
    if (followed === undefined) return;
    followed.events.push({ type: 'entered', book, order });
    if (isFinal(order.status)) return;
    followed.openOrders.add(order.id);
    this.#holders.set(order.id, account);
  }

  #touchHolds(wanted: HeldAssets & { readonly account: string }): void {
    const { account, reserveAsset, allowanceAsset, positionAsset } = wanted;
    if (wanted.reserve > 0) this.#touch(account, reserveAsset);
    if (allowanceAsset !== null && wanted.allowance > 0) this.#touch(account, allowanceAsset);
    if (positionAsset !== null && wanted.position > 0) this.#touch(account, positionAsset);
  }

  #touch(account: string, asset: string): void {
    this.#accounts.get(account)?.touched.add(asset);
  }
}

function isDone(outcome: LedgerOutcome): boolean {
  return outcome.type === 'done';
}

/** Only what its holder is told. */
function entered(order: Omit<EnteredOrder, 'code'>, code: string | null): EnteredOrder {
  const { id, side, type, timeInForce, quantity, price, stopPrice, expiresAt, clientOrderId, createdAt } = order;
  const status: OrderAdmission['status'] = code === null ? order.status : 'rejected';
  return { id, side, type, timeInForce, quantity, price, stopPrice, expiresAt, clientOrderId, status, createdAt, code };
}
