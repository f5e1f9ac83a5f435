import { DAY_MS } from '../calendar/durations.ts';
import { mulDivFloorAtMost } from '../money/arithmetic.ts';
import { type DollarRate, inDollarsUp } from '../money/dollar-rate.ts';
import { type CheckpointPiece, ColumnSet, Float64Column, Int32Column } from './columns.ts';
import { IdTable, type IdTableRest } from './id-table.ts';

/** What the orders of an API key come to today, against its limits. Units of the venue's dollar. */
export interface KeyUse {
  /** Open orders whole, ended ones by what they filled. */
  readonly notional: number;
  /** What sales have lost since the day began, less what later ones have won back. */
  readonly loss: number;
  /** What open sells would lose at the worst. */
  readonly lossHeld: number;
}

const NO_USE: KeyUse = { notional: 0, loss: 0, lossHeld: 0 };

/** What an open order counts against its key. Units of the venue's dollar. */
export interface LimitedOrder {
  /** Number of the key. */
  readonly key: number;
  /** Most that was ever asked for it. */
  readonly notional: number;
  readonly lossHeld: number;
  /** Of the lots that it has reserved; 0 where the asset tracks none. */
  readonly cost: number;
  /** Shares of a sell, and what they bring at the least; 0 for a buy. */
  readonly quantity: number;
  readonly proceeds: number;
  /** By which what it fills is counted: that of its admission, for good. Null for dollars. */
  readonly rate: DollarRate | null;
}

export interface LimitedKeysRest {
  readonly keys: IdTableRest;
  readonly day: number;
  readonly serials: number;
}

/**
 * API keys under a daily limit that have placed something today or have an order open, and those orders by the numbers of their
 * reservations. A key without either takes no memory; what a day counted goes with the day.
 */
export class LimitedKeys {
  readonly ids = new IdTable('limited_keys');
  /** Days since the Unix epoch, UTC, of the last batch. */
  #day = 0;
  readonly #notional = new Float64Column();
  readonly #loss = new Float64Column();
  readonly #lossHeld = new Float64Column();
  readonly #openOrders = new Int32Column();
  /** Number of the account. */
  readonly #account = new Int32Column();
  /** As the key's last order stated them; plus 1, 0 for none. */
  readonly #notionalMax = new Float64Column();
  readonly #lossMax = new Float64Column();
  readonly #columns = new ColumnSet('limited_key', {
    notional: this.#notional,
    loss: this.#loss,
    lossHeld: this.#lossHeld,
    openOrders: this.#openOrders,
    account: this.#account,
    notionalMax: this.#notionalMax,
    lossMax: this.#lossMax,
  });
  /** By account: how many of its keys are here. */
  readonly #keys = new Int32Column();
  readonly #accountColumns = new ColumnSet('account_limited_keys', { keys: this.#keys });

  /** By reservation: of an order, its key plus 1; of an amendment, its order plus 1. 0 where no daily limit binds. */
  readonly #key = new Int32Column();
  readonly #order = new Int32Column();
  /** Of an order, the how manieth under a limit it is; of an amendment, that of its order: numbers of reservations are used again. */
  readonly #serial = new Float64Column();
  #serials = 0;
  readonly #placedOn = new Int32Column();
  readonly #orderNotional = new Float64Column();
  readonly #orderLossHeld = new Float64Column();
  readonly #cost = new Float64Column();
  readonly #quantity = new Float64Column();
  readonly #proceeds = new Float64Column();
  /** 0 for dollars. */
  readonly #rateNumerator = new Float64Column();
  readonly #rateDenominator = new Float64Column();
  readonly #orderColumns = new ColumnSet('limited_order', {
    key: this.#key,
    order: this.#order,
    serial: this.#serial,
    placedOn: this.#placedOn,
    notional: this.#orderNotional,
    lossHeld: this.#orderLossHeld,
    cost: this.#cost,
    quantity: this.#quantity,
    proceeds: this.#proceeds,
    rateNumerator: this.#rateNumerator,
    rateDenominator: this.#rateDenominator,
  });

  get day(): number {
    return this.#day;
  }

  get count(): number {
    return this.ids.size;
  }

  /** How many keys of an account are here. */
  countOf(account: number): number {
    return this.#keys.get(account);
  }

  /** A later day forgets what was counted before, and every key that has nothing open. */
  begin(time_ms: number): void {
    const day = dayOf(time_ms);
    if (day <= this.#day) return;
    this.#day = day;
    for (let key = 0; key < this.ids.end; key++) {
      if (!this.ids.has(key)) continue;
      this.#notional.set(key, 0);
      this.#loss.set(key, 0);
      this.#forgetIfIdle(key);
    }
  }

  useOf(keyId: string): KeyUse {
    const key = this.ids.find(keyId);
    return key < 0 ? NO_USE : this.use(key);
  }

  /** The same at a time, which may be on a day after the last batch. */
  useAt(keyId: string, time_ms: number): KeyUse {
    const use = this.useOf(keyId);
    return dayOf(time_ms) > this.#day ? { ...NO_USE, lossHeld: use.lossHeld } : use;
  }

  use(key: number): KeyUse {
    return { notional: this.#notional.get(key), loss: this.#loss.get(key), lossHeld: this.#lossHeld.get(key) };
  }

  notionalMax(key: number): number | null {
    return limitOf(this.#notionalMax, key);
  }

  lossMax(key: number): number | null {
    return limitOf(this.#lossMax, key);
  }

  openOrders(key: number): number {
    return this.#openOrders.get(key);
  }

  /** The key by its number, with the limits that its newest order states. */
  open(keyId: string, account: number, notionalMax: number | null, lossMax: number | null): number {
    const known = this.ids.find(keyId);
    const key = known >= 0 ? known : this.ids.intern(keyId);
    if (known < 0) {
      this.#account.set(key, account);
      this.#keys.add(account, 1);
    }
    this.#notionalMax.set(key, notionalMax === null ? 0 : notionalMax + 1);
    this.#lossMax.set(key, lossMax === null ? 0 : lossMax + 1);
    return key;
  }

  /** What an order counts; null for one under no daily limit. */
  at(reservation: number): LimitedOrder | null {
    const key = this.#key.get(reservation) - 1;
    if (key < 0) return null;
    return {
      key,
      notional: this.#orderNotional.get(reservation),
      lossHeld: this.#orderLossHeld.get(reservation),
      cost: this.#cost.get(reservation),
      quantity: this.#quantity.get(reservation),
      proceeds: this.#proceeds.get(reservation),
      rate: this.#rateOf(reservation),
    };
  }

  /** The order that reserved under this number, itself or by an amendment; −1 where no daily limit binds it. */
  orderOf(reservation: number): number {
    if (this.#key.get(reservation) !== 0) return reservation;
    const order = this.#order.get(reservation) - 1;
    return order >= 0 && this.#serial.get(order) === this.#serial.get(reservation) ? order : -1;
  }

  /** An order was admitted. */
  add(reservation: number, order: LimitedOrder): void {
    const { key, notional, lossHeld } = order;
    this.#serials += 1;
    this.#serial.set(reservation, this.#serials);
    this.#key.set(reservation, key + 1);
    this.#placedOn.set(reservation, this.#day);
    this.#openOrders.add(key, 1);
    this.#count(key, notional);
    this.#lossHeld.add(key, lossHeld);
    this.#setOrder(reservation, order);
  }

  /** An amendment was admitted: its order counts what it adds at once, whatever becomes of it. */
  amend(reservation: number, amendment: number, order: Omit<LimitedOrder, 'key'>): void {
    const key = this.#key.get(reservation) - 1;
    this.#order.set(amendment, reservation + 1);
    this.#serial.set(amendment, this.#serial.get(reservation));
    this.#count(key, order.notional - this.#orderNotional.get(reservation));
    this.#lossHeld.add(key, order.lossHeld - this.#orderLossHeld.get(reservation));
    this.#setOrder(reservation, order);
  }

  /** Shares of this cost have left an order. */
  takeCost(reservation: number, cost: number): void {
    this.#cost.set(reservation, Math.max(0, this.#cost.get(reservation) - cost));
  }

  /** An order that goes on: what its shares have cost, and what it would lose at the worst. */
  settle(reservation: number, cost: number, lossHeld: number): void {
    const key = this.#key.get(reservation) - 1;
    this.#lossHeld.add(key, lossHeld - this.#orderLossHeld.get(reservation));
    this.#orderLossHeld.set(reservation, lossHeld);
    this.#cost.set(reservation, cost);
  }

  /**
   * Sales of an order have lost so much, or (negative) won. A gain gives back what was lost before it, and no more.
   *
   * @returns whether it has taken the key to its limit
   */
  lose(reservation: number, loss: number): boolean {
    const key = this.#key.get(reservation) - 1;
    const before = this.#loss.get(key);
    const after = Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, before + loss));
    this.#loss.set(key, after);
    const max = this.lossMax(key);
    return max !== null && hasReached(after, max) && !hasReached(before, max);
  }

  /** A sale of today has lost so much less (negative: more) than was counted. What was lost on another day is counted no more. */
  giveBackLoss(keyId: string, soldAt_ms: number, loss: number): void {
    const key = this.ids.find(keyId);
    if (key < 0 || dayOf(soldAt_ms) !== this.#day) return;
    this.#loss.set(key, Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, this.#loss.get(key) - loss)));
  }

  /** The order is final: it counts by what it filled, in quote units. What was counted on another day stays there. */
  end(reservation: number, filledNotional: number): void {
    const key = this.#key.get(reservation) - 1;
    const counted = this.#orderNotional.get(reservation);
    const filled = inDollarsUp(filledNotional, this.#rateOf(reservation));
    if (this.#placedOn.get(reservation) === this.#day) this.#count(key, filled - counted);
    this.#lossHeld.add(key, -this.#orderLossHeld.get(reservation));
    this.#openOrders.add(key, -1);
    this.#key.set(reservation, 0);
    this.#serial.set(reservation, 0);
    this.#placedOn.set(reservation, 0);
    this.#setOrder(reservation, { notional: 0, lossHeld: 0, cost: 0, quantity: 0, proceeds: 0, rate: null });
    this.#forgetIfIdle(key);
  }

  /** An amendment is over. */
  endAmendment(reservation: number): void {
    this.#order.set(reservation, 0);
    this.#serial.set(reservation, 0);
  }

  accountOf(key: number): number {
    return this.#account.get(key);
  }

  placedOn(reservation: number): number {
    return this.#placedOn.get(reservation);
  }

  *pieces(): Generator<CheckpointPiece> {
    yield* this.ids.pieces();
    yield* this.#columns.pieces();
    yield* this.#accountColumns.pieces();
    yield* this.#orderColumns.pieces();
  }

  load(piece: CheckpointPiece): boolean {
    return (
      this.ids.load(piece) ||
      this.#columns.load(piece) ||
      this.#accountColumns.load(piece) ||
      this.#orderColumns.load(piece)
    );
  }

  rest(): LimitedKeysRest {
    return { keys: this.ids.rest(), day: this.#day, serials: this.#serials };
  }

  finish({ keys, day, serials }: LimitedKeysRest): void {
    this.ids.finish(keys);
    this.#day = day;
    this.#serials = serials;
  }

  #rateOf(reservation: number): DollarRate | null {
    const numerator = this.#rateNumerator.get(reservation);
    return numerator === 0 ? null : { numerator, denominator: this.#rateDenominator.get(reservation) };
  }

  /** Of a key without such a limit it may come to more than amounts are exact in: it stays at the end. */
  #count(key: number, change: number): void {
    this.#notional.set(key, Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, this.#notional.get(key) + change)));
  }

  #setOrder(reservation: number, order: Omit<LimitedOrder, 'key'>): void {
    this.#orderNotional.set(reservation, order.notional);
    this.#orderLossHeld.set(reservation, order.lossHeld);
    this.#cost.set(reservation, order.cost);
    this.#quantity.set(reservation, order.quantity);
    this.#proceeds.set(reservation, order.proceeds);
    this.#rateNumerator.set(reservation, order.rate?.numerator ?? 0);
    this.#rateDenominator.set(reservation, order.rate?.denominator ?? 0);
  }

  #forgetIfIdle(key: number): void {
    const isIdle = this.#openOrders.get(key) === 0 && this.#notional.get(key) === 0 && this.#loss.get(key) === 0;
    if (!isIdle) return;
    this.#keys.add(this.#account.get(key), -1);
    this.#account.set(key, 0);
    this.#notionalMax.set(key, 0);
    this.#lossMax.set(key, 0);
    this.ids.release(key);
  }
}

/** Who may lose nothing has not reached that before something is lost. */
export function hasReached(loss: number, lossMax: number): boolean {
  return loss > 0 && loss >= lossMax;
}

/** What a sell would lose at the worst: what its shares cost beyond what they bring at the least. */
export function worstLoss(cost: number, proceeds: number): number {
  return Math.max(0, cost - proceeds);
}

/** What `remaining` of an order's shares bring at the least. */
export function proceedsOf(
  { proceeds, quantity }: Pick<LimitedOrder, 'proceeds' | 'quantity'>,
  remaining: number,
): number {
  return quantity === 0 ? 0 : mulDivFloorAtMost(proceeds, remaining, quantity);
}

/** Days since the Unix epoch, UTC. */
function dayOf(time_ms: number): number {
  return Math.floor(time_ms / DAY_MS);
}

function limitOf(column: Float64Column, key: number): number | null {
  const max = column.get(key);
  return max === 0 ? null : max - 1;
}
