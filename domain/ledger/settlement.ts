import { type DollarRate, inDollarsUp } from '../money/dollar-rate.ts';
import { isFinal } from '../order-state/order-state.ts';
import { isBoundary } from './balances.ts';
import { checkClearing } from './broker-clearing.ts';
import {
  type Breach,
  cancelOrdersOf,
  holdLossOf,
  type LimitedSales,
  limitedSalesOf,
  settleLimited,
  takeCosts,
} from './daily-limits.ts';
import { incomingAsset } from './incoming-room.ts';
import type { SaleCost } from './journal-row.ts';
import { keepUnsettled } from './keep-unsettled.ts';
import type { LedgerState } from './ledger-state.ts';
import { LedgerViolation } from './ledger-violation.ts';
import { rateOf } from './rates.ts';
import type { OrderState, SettlementChunk } from './records.ts';
import { saleCostsOf } from './sale-costs.ts';
import { takerOf, tradedLotsOf } from './traded-lots-of.ts';
import type { BookBatch } from './transactions.ts';

/**
 * Settles one chunk of a book's effects. What orders hold follows from their states, so L3 holds by construction; L1 and L2 are checked.
 *
 * @returns what the shares of each trade had cost their seller
 * @throws LedgerViolation when the chunk does not balance, takes what is not there, or names what the ledger does not know
 */
export function settleChunk(state: LedgerState, batch: BookBatch, chunk: SettlementChunk): SaleCost[] {
  const saleCosts = saleCostsOf(state, batch, chunk);
  new ChunkSettlement(state, batch).settle(chunk);
  return saleCosts;
}

class ChunkSettlement {
  readonly #state: LedgerState;
  readonly #batch: BookBatch;
  /** Holdings are kept at what they cost in dollars. */
  readonly #rate: DollarRate | null;
  /** By asset: what the chunk has added to all balances so far. */
  readonly #sums = new Map<number, number>();
  readonly #touched: number[] = [];
  readonly #breaches: Breach[] = [];

  constructor(state: LedgerState, batch: BookBatch) {
    this.#state = state;
    this.#batch = batch;
    this.#rate = rateOf(state, batch);
  }

  settle(chunk: SettlementChunk): void {
    const { balances, ruleSet } = this.#state;
    checkClearing(chunk, this.#batch);
    const sales = limitedSalesOf(this.#state, this.#batch, chunk);
    const moves = chunk.balances.map((move) => ({ move, balance: balances.open(move.account, move.asset) }));
    // Costs first: the share that is sold is of what was there before.
    for (const { move, balance } of moves) {
      if (move.sold > 0) balances.addCost(balance, -balances.costOf(balance, move.sold, ruleSet));
      if (move.bought !== 0) balances.addCost(balance, inDollarsUp(move.bought, this.#rate));
    }
    takeCosts(this.#state, sales);
    this.#rememberLots(chunk);
    this.#moveLots(chunk);
    for (const order of chunk.orders) this.#settleOrder(order, sales);
    for (const id of chunk.amendments) this.#closeAmendment(id);
    for (const { move, balance } of moves) {
      balances.addAvailable(balance, move.available);
      this.#count(balance, move.available);
    }
    keepUnsettled(this.#state, this.#batch, chunk);
    this.#check();
    if (this.#state.limitedKeys.count > 0)
      for (const order of chunk.orders) holdLossOf(this.#state, this.#batch, order);
    for (const breach of this.#breaches) cancelOrdersOf(this.#state, breach);
  }

  /** An order holds what its new state says; a final one leaves. */
  #settleOrder(order: OrderState, sales: LimitedSales): void {
    const { reservations } = this.#state;
    const number = reservations.ids.find(order.id);
    if (number < 0 || reservations.isAmendment(number))
      throw new LedgerViolation(`order ${order.id} settles and holds nothing`);
    const { reserve, allowance, position } = order;
    if (reserve < 0 || allowance < 0 || position < 0)
      throw new LedgerViolation(`order ${order.id} would hold less than nothing`);
    this.#rehold(number, reserve, allowance, position);
    this.#expect(number, order.incoming ?? 0);
    const breach = settleLimited(this.#state, number, order, sales.get(number));
    if (breach !== null) this.#breaches.push(breach);
    if (!isFinal(order.status)) return;
    if (reserve + allowance + position + (order.incoming ?? 0) > 0)
      throw new LedgerViolation(`order ${order.id} is final and holds something`);
    if (this.#state.lots.hasShares(number)) throw new LedgerViolation(`order ${order.id} is final and reserves lots`);
    reservations.remove(number);
    this.#state.clientOrderIds.ended(order.id, order.code === RELEASED);
  }

  /** Its extra hold has moved into its order, or gone back. Lots that it added stay reserved under its id until they are sold. */
  #closeAmendment(id: string): void {
    const { reservations, lots } = this.#state;
    const number = reservations.ids.find(id);
    if (number < 0 || !reservations.isAmendment(number))
      throw new LedgerViolation(`amendment ${id} ends and holds nothing`);
    this.#rehold(number, 0, 0, 0);
    this.#expect(number, 0);
    if (!lots.hasShares(number)) this.#removeAmendment(number);
  }

  #removeAmendment(number: number): void {
    this.#state.limitedKeys.endAmendment(number);
    this.#state.reservations.remove(number);
  }

  #rehold(number: number, reserve: number, allowance: number, position: number): void {
    const { reservations } = this.#state;
    const before = reservations.at(number);
    this.#checkBook(before.book);
    this.#changeHeld(before.reserveBalance, reserve - before.reserve);
    if (before.allowanceBalance >= 0) this.#changeHeld(before.allowanceBalance, allowance - before.allowance);
    if (before.positionBalance >= 0) this.#changeHeld(before.positionBalance, position - before.position);
    reservations.setAmounts(
      number,
      reserve,
      before.allowanceBalance < 0 ? 0 : allowance,
      before.positionBalance < 0 ? 0 : position,
    );
  }

  /** What its executions may bring from here on. */
  #expect(number: number, incoming: number): void {
    const { balances, reservations } = this.#state;
    if (incoming === 0 && reservations.incoming(number) === 0) return;
    if (!Number.isSafeInteger(incoming) || incoming < 0)
      throw new LedgerViolation(`${reservations.ids.text(number)} would bring ${incoming}`);
    const reserveAsset = balances.asset(reservations.reserveBalance(number));
    reservations.setIncoming(number, incomingAsset(this.#batch, reserveAsset), incoming);
  }

  #checkBook(book: string): void {
    if (book !== this.#batch.book) throw new LedgerViolation(`${this.#batch.book} settles what ${book} reserved`);
  }

  #changeHeld(balance: number, change: number): void {
    if (change === 0) return;
    this.#state.balances.addHeld(balance, change);
    this.#count(balance, change);
  }

  #rememberLots(chunk: SettlementChunk): void {
    const { tradedLots } = this.#state;
    if (!this.#batch.tracksLots || chunk.trades.length === 0) return;
    const moved = tradedLotsOf(this.#state, chunk, this.#rate);
    for (const trade of chunk.trades) {
      const lots = moved?.get(trade.id);
      if (lots !== undefined) tradedLots.add(trade.id, lots, { taker: takerOf(trade), giver: trade.seller });
    }
  }

  #moveLots({ lotMoves, lots: received }: SettlementChunk): void {
    const { lots, reservations, balances } = this.#state;
    const moved = new Set<number>();
    for (const { reservationId, lotId, consumed, released } of lotMoves) {
      const number = reservations.ids.find(reservationId);
      if (number < 0) throw new LedgerViolation(`${reservationId} moves lots and holds nothing`);
      this.#checkBook(reservations.book(number));
      moved.add(lots.move(number, lotId, consumed, released));
      const isClosedAmendment = reservations.reserve(number) === 0 && reservations.isAmendment(number);
      if (isClosedAmendment && !lots.hasShares(number)) this.#removeAmendment(number);
    }
    lots.removeSpent(moved);
    for (const lot of received)
      lots.insert(
        balances.open(lot.account, this.#batch.baseAsset),
        { ...lot, cost: inDollarsUp(lot.cost, this.#rate) },
        'bought',
      );
  }

  #count(balance: number, change: number): void {
    const asset = this.#state.balances.assetNumber(balance);
    const sum = (this.#sums.get(asset) ?? 0) + change;
    if (!Number.isSafeInteger(sum)) throw new LedgerViolation(`a chunk of ${this.#batch.book} moves ${sum} in all`);
    this.#sums.set(asset, sum);
    this.#touched.push(balance);
  }

  #check(): void {
    const { balances } = this.#state;
    for (const balance of this.#touched) {
      const [available, held] = [balances.available(balance), balances.held(balance)];
      if (!Number.isSafeInteger(available) || !Number.isSafeInteger(held) || !Number.isSafeInteger(available + held))
        throw new LedgerViolation(`a balance of ${balances.asset(balance)} leaves the range of exact amounts`);
      if ((available < 0 || held < 0) && !isBoundary(balances.accountId(balance)))
        throw new LedgerViolation(
          `account ${balances.accountId(balance)} would have ${available} available and ${held} held of ${balances.asset(balance)}`,
        );
    }
    for (const sum of this.#sums.values())
      if (sum !== 0) throw new LedgerViolation(`a chunk of ${this.#batch.book} is off by ${sum}`);
  }
}

/** Code of an order that was admitted and never matched: its book released it after a crash or a long wait. */
export const RELEASED = 'UNAVAILABLE';
