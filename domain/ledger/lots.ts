import { mulDivFloorAtMost } from '../money/arithmetic.ts';
import { type Balances, boundedCost } from './balances.ts';
import { type CheckpointPiece, ColumnSet, Float64Column, Int32Column } from './columns.ts';
import { IdTable, type IdTableRest } from './id-table.ts';
import { LedgerViolation } from './ledger-violation.ts';
import { type LotShare, LotShares, type LotSharesRest } from './lot-shares.ts';
import { OwnedCount } from './owned-count.ts';
import type { Owners } from './owners.ts';
import type { LotRecord, ReceivedLot } from './records.ts';

/** The lots of one holding (a balance), oldest first by (acquiredAt, id); lots as numbers plus 1, 0 for none. */
interface Holding {
  oldest: number;
  newest: number;
  /** No lot before this one has anything free. */
  firstFree: number;
  /** The oldest lot of each lane; null while no lot is in any. */
  lanes: Int32Array | null;
}

/**
 * Lots of a holding are also chained by lanes: one in `LANE_STEP` is in the first, one in `LANE_STEP` of those in the second, and so on, as the hashes of their
 * ids have it. The place of a lot is found along the lanes, in some dozens of comparisons whatever its date and however many lots there are. Lanes follow
 * from the lots and stand in no checkpoint.
 */
const LANES = 5;
const LANE_STEP = 8;

export interface LotsRest extends LotSharesRest {
  readonly ids: IdTableRest;
  readonly offerings: readonly string[];
  readonly holdings: readonly (readonly [balance: number, oldest: number, newest: number, firstFree: number])[];
}

/**
 * How a lot came to be: by a trade, or by a register or deposit. What is made of it (a split, a conversion, a trade that is taken back) came as it did. Lots of
 * a checkpoint from before this was kept came by a register or deposit.
 */
export type LotOrigin = 'bought' | 'registered';

/** Zeros take no memory; a restriction that ended in 1970 is none. */
const NO_RESTRICTION = 0;

/** Every lot, and how many shares of it are reserved. */
export class Lots {
  readonly ids = new IdTable('lot_ids');
  readonly #offerings: string[] = [];
  readonly #offeringNumbers = new Map<string, number>();
  readonly #balance = new Int32Column();
  readonly #quantity = new Float64Column();
  readonly #reserved = new Float64Column();
  readonly #cost = new Float64Column();
  readonly #acquiredAt = new Float64Column();
  readonly #restrictionEndsAt = new Float64Column();
  /** Number of the offering type plus 1; 0 for none. */
  readonly #offering = new Int32Column();
  /** 1 for a lot that came by a trade. */
  readonly #bought = new Int32Column();
  readonly #next = new Int32Column();
  readonly #previous = new Int32Column();
  readonly #columns = new ColumnSet('lots', {
    balance: this.#balance,
    quantity: this.#quantity,
    reserved: this.#reserved,
    cost: this.#cost,
    acquiredAt: this.#acquiredAt,
    restrictionEndsAt: this.#restrictionEndsAt,
    offering: this.#offering,
    bought: this.#bought,
    next: this.#next,
    previous: this.#previous,
  });
  readonly #holdings = new Map<number, Holding>();
  readonly #balances: Balances;
  /** Of whom how many lots are; by asset: how many of them were registered. Counted again when a checkpoint is loaded. */
  readonly owned: OwnedCount;
  readonly #registeredOf = new Int32Column();
  /** By lane: the next lot of the holding that is in it. */
  readonly #laneNext = Array.from({ length: LANES }, () => new Int32Column());
  /** By lane: where the last search left it. */
  readonly #path = new Int32Array(LANES);

  readonly #shares = new LotShares();

  constructor(balances: Balances, owners: Owners) {
    this.#balances = balances;
    this.owned = new OwnedCount(owners);
  }

  get count(): number {
    return this.ids.size;
  }

  /** How many lots of an asset came by its register or by deposits. */
  registeredOf(asset: string): number {
    const number = this.#balances.numberOfAsset(asset);
    return number < 0 ? 0 : this.#registeredOf.get(number);
  }

  /** Puts a lot into a holding where its age says. */
  insert(balance: number, lot: ReceivedLot, origin: LotOrigin): void {
    if (this.ids.find(lot.id) >= 0) throw new LedgerViolation(`lot ${lot.id} is there already`);
    const number = this.ids.intern(lot.id);
    this.#balance.set(number, balance);
    this.#bought.set(number, origin === 'bought' ? 1 : 0);
    this.#count(number, 1);
    this.#quantity.set(number, lot.quantity);
    this.#reserved.set(number, 0);
    this.#cost.set(number, boundedCost(lot.cost));
    this.#acquiredAt.set(number, lot.acquiredAt);
    this.#restrictionEndsAt.set(number, lot.restrictionEndsAt ?? NO_RESTRICTION);
    this.#offering.set(number, lot.offeringType === null ? 0 : this.#internOffering(lot.offeringType) + 1);
    const holding = this.#holdings.get(balance) ?? { oldest: 0, newest: 0, firstFree: 0, lanes: null };
    this.#holdings.set(balance, holding);
    const lanes = this.#lanesOf(number);
    const isNewest = holding.newest === 0 || this.#isOlder(holding.newest - 1, number);
    const before = isNewest && lanes === 0 ? holding.newest : this.#before(holding, number);
    const after = before === 0 ? holding.oldest : this.#next.get(before - 1);
    this.#previous.set(number, before);
    this.#next.set(number, after);
    if (before === 0) holding.oldest = number + 1;
    else this.#next.set(before - 1, number + 1);
    if (after === 0) holding.newest = number + 1;
    else this.#previous.set(after - 1, number + 1);
    for (let lane = 0; lane < lanes; lane++) this.#enterLane(holding, lane, this.#path[lane] as number, number);
    this.#becameFree(holding, number);
  }

  /**
   * Reserves the oldest free shares of a holding, from at most `lotsMax` lots.
   *
   * @returns what was taken, which may be less than `quantity` where it lies in more lots
   */
  reserve(reservation: number, balance: number, quantity: number, lotsMax: number): LotShare[] {
    const taken = this.#takeFree(balance, quantity, lotsMax);
    for (const { lot, quantity: share } of taken) this.#reserved.add(lot, share);
    this.#shares.add(reservation, taken);
    return taken;
  }

  /** Takes the oldest free shares out of a holding: a withdrawal. */
  withdraw(balance: number, quantity: number): LotShare[] {
    const taken = this.#takeFree(balance, quantity, Number.POSITIVE_INFINITY);
    for (const { lot, quantity: share } of taken) {
      this.#cost.add(lot, -this.#costOf(lot, share));
      this.#quantity.add(lot, -share);
    }
    return taken;
  }

  /**
   * Takes free shares out of one lot with what they had cost: a trade is taken back. A lot that has been sold from since may have less of
   * that left. Call `removeSpent` after.
   *
   * @throws LedgerViolation when so many are not free
   */
  takeFree(lotId: string, quantity: number, cost: number): { readonly lot: number; readonly cost: number } {
    const lot = this.ids.find(lotId);
    if (lot < 0 || this.#quantity.get(lot) - this.#reserved.get(lot) < quantity)
      throw new LedgerViolation(`lot ${lotId} does not have ${quantity} that are free`);
    const left = this.#cost.get(lot);
    const taken = quantity === this.#quantity.get(lot) ? left : Math.min(cost, left);
    this.#cost.add(lot, -taken);
    this.#quantity.add(lot, -quantity);
    return { lot, cost: taken };
  }

  /** What a lot has cost is another amount. */
  addCost(lot: number, change: number): void {
    this.#cost.set(lot, boundedCost(this.#cost.get(lot) + change));
  }

  /** A lot is of another quantity, of which nothing may be reserved. Call `removeSpent` after. */
  setQuantity(lot: number, quantity: number): void {
    this.#quantity.set(lot, quantity);
  }

  /** Removes lots of which nothing is left. */
  removeSpent(lots: Iterable<number>): void {
    for (const lot of lots) if (this.ids.has(lot) && this.#quantity.get(lot) === 0) this.#remove(lot);
  }

  /**
   * A reservation gives up shares of a lot: `consumed` left the holding, `released` are free again. Call `removeSpent` once the chunk
   * is through.
   *
   * @throws LedgerViolation when it has not reserved so many
   */
  move(reservation: number, lotId: string, consumed: number, released: number): number {
    const lot = this.ids.find(lotId);
    const gone = consumed + released;
    if (lot < 0 || consumed < 0 || released < 0)
      throw new LedgerViolation(`lot ${lotId} gives up ${gone} that are not reserved`);
    this.#shares.giveUp(reservation, lot, gone);
    this.#cost.add(lot, -this.#costOf(lot, consumed));
    this.#quantity.add(lot, -consumed);
    this.#reserved.add(lot, -gone);
    if (released > 0) {
      const holding = this.#holdings.get(this.#balance.get(lot));
      if (holding !== undefined) this.#becameFree(holding, lot);
    }
    return lot;
  }

  hasShares(reservation: number): boolean {
    return this.#shares.has(reservation);
  }

  /** The shares that a reservation has, oldest lot first. */
  shares(reservation: number): LotShare[] {
    return this.#shares.of(reservation);
  }

  /** What the oldest free shares of a holding have cost, to this quantity; in lots that are touched in part, rounded down. */
  costOfFree(balance: number, quantity: number): number {
    let [wanted, cost] = [quantity, 0];
    for (let at = this.#holdings.get(balance)?.firstFree ?? 0; at !== 0 && wanted > 0; at = this.#next.get(at - 1)) {
      const share = Math.min(wanted, this.#quantity.get(at - 1) - this.#reserved.get(at - 1));
      cost += this.#costOf(at - 1, share);
      wanted -= share;
    }
    return boundedCost(cost);
  }

  /** What so many shares of a lot have cost, rounded down; 0 for a lot that is not here. */
  costOf(lotId: string, quantity: number): number {
    const lot = this.ids.find(lotId);
    return lot < 0 ? 0 : this.#costOf(lot, quantity);
  }

  quantity(lot: number): number {
    return this.#quantity.get(lot);
  }

  reserved(lot: number): number {
    return this.#reserved.get(lot);
  }

  cost(lot: number): number {
    return this.#cost.get(lot);
  }

  acquiredAt(lot: number): number {
    return this.#acquiredAt.get(lot);
  }

  balance(lot: number): number {
    return this.#balance.get(lot);
  }

  restrictionEndsAt(lot: number): number | null {
    const at = this.#restrictionEndsAt.get(lot);
    return at === NO_RESTRICTION ? null : at;
  }

  offeringType(lot: number): string | null {
    return this.#offerings[this.#offering.get(lot) - 1] ?? null;
  }

  origin(lot: number): LotOrigin {
    return this.#bought.get(lot) === 1 ? 'bought' : 'registered';
  }

  /** A lot with the names of its holding. */
  record(lot: number, account: string, asset: string): LotRecord {
    return {
      id: this.ids.text(lot),
      account,
      asset,
      quantity: this.#quantity.get(lot),
      reserved: this.#reserved.get(lot),
      cost: this.cost(lot),
      acquiredAt: this.acquiredAt(lot),
      restrictionEndsAt: this.restrictionEndsAt(lot),
      offeringType: this.offeringType(lot),
    };
  }

  /** Balances that are kept in lots. */
  holdings(): Iterable<number> {
    return this.#holdings.keys();
  }

  /** Whether a balance is kept in lots, and has any. */
  isHolding(balance: number): boolean {
    return this.#holdings.has(balance);
  }

  /** Lots of a holding, oldest first. */
  *of(balance: number): Generator<number> {
    for (let at = this.#holdings.get(balance)?.oldest ?? 0; at !== 0; at = this.#next.get(at - 1)) yield at - 1;
  }

  *pieces(): Generator<CheckpointPiece> {
    yield* this.ids.pieces();
    yield* this.#columns.pieces();
    yield* this.#shares.pieces();
  }

  load(piece: CheckpointPiece): boolean {
    return this.ids.load(piece) || this.#columns.load(piece) || this.#shares.load(piece);
  }

  rest(): LotsRest {
    return {
      ids: this.ids.rest(),
      offerings: this.#offerings,
      holdings: Array.from(
        this.#holdings,
        ([balance, { oldest, newest, firstFree }]) => [balance, oldest, newest, firstFree] as const,
      ),
      ...this.#shares.rest(),
    };
  }

  finish({ ids, offerings, holdings, ...shares }: LotsRest): void {
    this.ids.finish(ids);
    for (const offering of offerings) this.#internOffering(offering);
    for (const [balance, oldest, newest, firstFree] of holdings)
      this.#holdings.set(balance, { oldest, newest, firstFree, lanes: null });
    this.#shares.finish(shares);
    for (const [balance, holding] of this.#holdings) {
      this.#path.fill(0);
      for (const lot of this.of(balance)) {
        this.#count(lot, 1);
        for (let lane = 0; lane < this.#lanesOf(lot); lane++) {
          this.#enterLane(holding, lane, this.#path[lane] as number, lot);
          this.#path[lane] = lot + 1;
        }
      }
    }
  }

  #count(lot: number, change: number): void {
    const balance = this.#balance.get(lot);
    this.owned.add(this.#balances.account(balance), change);
    if (this.origin(lot) === 'registered') this.#registeredOf.add(this.#balances.assetNumber(balance), change);
  }

  /** In how many lanes a lot is. */
  #lanesOf(lot: number): number {
    let [lanes, rest] = [0, this.ids.hash(lot)];
    for (; lanes < LANES && rest % LANE_STEP === 0; lanes++) rest = Math.floor(rest / LANE_STEP);
    return lanes;
  }

  /** The youngest lot that is older, plus 1; 0 for none. Along the way `#path` gets the same of each lane. */
  #before({ oldest, lanes }: Holding, lot: number): number {
    let before = 0;
    for (let lane = LANES - 1; lane >= 0; lane--) {
      const column = this.#laneNext[lane] as Int32Column;
      let next = before === 0 ? (lanes?.[lane] ?? 0) : column.get(before - 1);
      for (; next !== 0 && this.#isOlder(next - 1, lot); next = column.get(next - 1)) before = next;
      this.#path[lane] = before;
    }
    let next = before === 0 ? oldest : this.#next.get(before - 1);
    for (; next !== 0 && this.#isOlder(next - 1, lot); next = this.#next.get(next - 1)) before = next;
    return before;
  }

  #enterLane(holding: Holding, lane: number, before: number, lot: number): void {
    const column = this.#laneNext[lane] as Int32Column;
    holding.lanes ??= new Int32Array(LANES);
    column.set(lot, before === 0 ? (holding.lanes[lane] as number) : column.get(before - 1));
    if (before === 0) holding.lanes[lane] = lot + 1;
    else column.set(before - 1, lot + 1);
  }

  #leaveLanes(holding: Holding, lot: number): void {
    const lanes = this.#lanesOf(lot);
    if (lanes === 0 || holding.lanes === null) return;
    this.#before(holding, lot);
    for (let lane = 0; lane < lanes; lane++) {
      const column = this.#laneNext[lane] as Int32Column;
      const before = this.#path[lane] as number;
      if (before === 0) holding.lanes[lane] = column.get(lot);
      else column.set(before - 1, column.get(lot));
    }
  }

  #costOf(lot: number, quantity: number): number {
    return quantity === 0 ? 0 : mulDivFloorAtMost(this.#cost.get(lot), quantity, this.#quantity.get(lot));
  }

  #takeFree(balance: number, quantity: number, lotsMax: number): LotShare[] {
    const holding = this.#holdings.get(balance);
    const taken: LotShare[] = [];
    let wanted = quantity;
    let at = holding?.firstFree ?? 0;
    while (at !== 0 && wanted > 0 && taken.length < lotsMax) {
      const free = this.#quantity.get(at - 1) - this.#reserved.get(at - 1);
      if (free > 0) {
        const share = Math.min(free, wanted);
        taken.push({ lot: at - 1, quantity: share });
        wanted -= share;
        if (share < free) break;
      }
      at = this.#next.get(at - 1);
    }
    if (holding !== undefined) holding.firstFree = at;
    return taken;
  }

  #remove(lot: number): void {
    const holding = this.#holdings.get(this.#balance.get(lot)) as Holding;
    this.#leaveLanes(holding, lot);
    const next = this.#next.get(lot);
    const previous = this.#previous.get(lot);
    if (next === 0) holding.newest = previous;
    else this.#previous.set(next - 1, previous);
    if (previous === 0) holding.oldest = next;
    else this.#next.set(previous - 1, next);
    if (holding.firstFree === lot + 1) holding.firstFree = next;
    if (holding.oldest === 0) this.#holdings.delete(this.#balance.get(lot));
    this.#count(lot, -1);
    this.ids.release(lot);
  }

  #becameFree(holding: Holding, lot: number): void {
    if (holding.firstFree === 0 || this.#isOlder(lot, holding.firstFree - 1)) holding.firstFree = lot + 1;
  }

  #isOlder(lot: number, than: number): boolean {
    const [first, second] = [this.#acquiredAt.get(lot), this.#acquiredAt.get(than)];
    return first === second ? this.ids.compare(lot, than) < 0 : first < second;
  }

  #internOffering(offering: string): number {
    const known = this.#offeringNumbers.get(offering);
    if (known !== undefined) return known;
    this.#offeringNumbers.set(offering, this.#offerings.length);
    return this.#offerings.push(offering) - 1;
  }
}
