import { type CheckpointPiece, ColumnSet, Float64Column, Int32Column } from './columns.ts';
import { IdTable, type IdTableRest } from './id-table.ts';
import { IncomingSums } from './incoming-sums.ts';
import { OwnedCount } from './owned-count.ts';
import type { Owners } from './owners.ts';
import type { Holds } from './records.ts';

/** What an open order, or an amendment on its way, holds; its balances by number, −1 where it holds nothing of the kind. */
export interface Reservation extends Holds {
  readonly kind: 'order' | 'amendment';
  readonly book: string;
  /** Number of the account. */
  readonly account: number;
  readonly reserveBalance: number;
  readonly allowanceBalance: number;
  readonly positionBalance: number;
}

export interface ReservationsRest {
  readonly ids: IdTableRest;
  readonly books: readonly string[];
  /** Of what comes in; absent in checkpoints from before that was counted. */
  readonly assets?: readonly string[];
}

/** Every reservation by its number, chained by account. An order has one from admission until it is final. */
export class Reservations {
  readonly ids = new IdTable('reservation_ids');
  readonly #books: string[] = [];
  readonly #bookNumbers = new Map<string, number>();
  readonly #isAmendment = new Int32Column();
  readonly #book = new Int32Column();
  readonly #account = new Int32Column();
  readonly #reserveBalance = new Int32Column();
  /** Plus 1; 0 for none. */
  readonly #allowanceBalance = new Int32Column();
  /** Plus 1; 0 for none. */
  readonly #positionBalance = new Int32Column();
  readonly #reserve = new Float64Column();
  readonly #allowance = new Float64Column();
  readonly #position = new Float64Column();
  /** What its executions may bring from outside, and of which asset: its number plus 1, 0 for none. */
  readonly #incoming = new Float64Column();
  readonly #incomingAsset = new Int32Column();
  readonly #assets: string[] = [];
  readonly #assetNumbers = new Map<string, number>();
  /** Counted again when a checkpoint is loaded. */
  readonly incomingSums = new IncomingSums();
  /** Neighbours in the account's chain, plus 1. */
  readonly #next = new Int32Column();
  readonly #previous = new Int32Column();
  readonly #columns = new ColumnSet('reservations', {
    isAmendment: this.#isAmendment,
    book: this.#book,
    account: this.#account,
    reserveBalance: this.#reserveBalance,
    allowanceBalance: this.#allowanceBalance,
    positionBalance: this.#positionBalance,
    reserve: this.#reserve,
    allowance: this.#allowance,
    position: this.#position,
    incoming: this.#incoming,
    incomingAsset: this.#incomingAsset,
    next: this.#next,
    previous: this.#previous,
  });
  /** By account: its newest reservation, plus 1. */
  readonly #newest = new Int32Column();
  readonly #accountColumns = new ColumnSet('account_reservations', { newest: this.#newest });
  /** Counted again when a checkpoint is loaded. */
  readonly orders: OwnedCount;
  readonly amendments: OwnedCount;

  constructor(owners: Owners) {
    this.orders = new OwnedCount(owners);
    this.amendments = new OwnedCount(owners);
  }

  get count(): number {
    return this.ids.size;
  }

  add(id: string, reservation: Reservation): number {
    const number = this.ids.intern(id);
    this.#isAmendment.set(number, reservation.kind === 'amendment' ? 1 : 0);
    this.#book.set(number, this.#internBook(reservation.book));
    this.#account.set(number, reservation.account);
    this.#reserveBalance.set(number, reservation.reserveBalance);
    this.#allowanceBalance.set(number, reservation.allowanceBalance + 1);
    this.#positionBalance.set(number, reservation.positionBalance + 1);
    this.setAmounts(number, reservation.reserve, reservation.allowance, reservation.position);
    const newest = this.#newest.get(reservation.account);
    this.#next.set(number, newest);
    this.#previous.set(number, 0);
    if (newest !== 0) this.#previous.set(newest - 1, number + 1);
    this.#newest.set(reservation.account, number + 1);
    this.#count(number, 1);
    return number;
  }

  /** Of one that holds nothing, and may bring nothing. */
  remove(number: number): void {
    const next = this.#next.get(number);
    const previous = this.#previous.get(number);
    if (next !== 0) this.#previous.set(next - 1, previous);
    if (previous !== 0) this.#next.set(previous - 1, next);
    else this.#newest.set(this.#account.get(number), next);
    this.#count(number, -1);
    this.ids.release(number);
  }

  /** What its executions may bring of an asset from here on; 0 for nothing. */
  setIncoming(number: number, asset: string, amount: number): void {
    const before = this.#incoming.get(number);
    if (before === 0 && amount === 0) return;
    const account = this.#account.get(number);
    if (before !== 0) this.incomingSums.add(account, this.#incomingAssetOf(number), -before);
    if (amount !== 0) this.incomingSums.add(account, asset, amount);
    this.#incoming.set(number, amount);
    this.#incomingAsset.set(number, amount === 0 ? 0 : this.#internAsset(asset) + 1);
  }

  incoming(number: number): number {
    return this.#incoming.get(number);
  }

  reserveBalance(number: number): number {
    return this.#reserveBalance.get(number);
  }

  setAmounts(number: number, reserve: number, allowance: number, position: number): void {
    this.#reserve.set(number, reserve);
    this.#allowance.set(number, allowance);
    this.#position.set(number, position);
  }

  reserve(number: number): number {
    return this.#reserve.get(number);
  }

  isAmendment(number: number): boolean {
    return this.#isAmendment.get(number) === 1;
  }

  /** Number of the account. */
  account(number: number): number {
    return this.#account.get(number);
  }

  book(number: number): string {
    return this.#books[this.#book.get(number)] as string;
  }

  at(number: number): Reservation {
    return {
      kind: this.isAmendment(number) ? 'amendment' : 'order',
      book: this.book(number),
      account: this.#account.get(number),
      reserveBalance: this.#reserveBalance.get(number),
      allowanceBalance: this.#allowanceBalance.get(number) - 1,
      positionBalance: this.#positionBalance.get(number) - 1,
      reserve: this.#reserve.get(number),
      allowance: this.#allowance.get(number),
      position: this.#position.get(number),
    };
  }

  /**
   * Books in which the account holds something, by symbol.
   *
   * @param allowanceBalance only those in which it holds something of this allowance
   */
  booksOf(account: number, allowanceBalance?: number): string[] {
    const books = new Set<number>();
    for (let at = this.#newest.get(account); at !== 0; at = this.#next.get(at - 1)) {
      const isWanted = allowanceBalance === undefined || this.#allowanceBalance.get(at - 1) === allowanceBalance + 1;
      if (isWanted) books.add(this.#book.get(at - 1));
    }
    return Array.from(books, (book) => this.#books[book] as string).sort();
  }

  /** Ids of the account's open orders. */
  ordersOf(account: number): string[] {
    const orders: string[] = [];
    for (let at = this.#newest.get(account); at !== 0; at = this.#next.get(at - 1))
      if (!this.isAmendment(at - 1)) orders.push(this.ids.text(at - 1));
    return orders;
  }

  /** Numbers of all reservations. */
  *all(): Generator<number> {
    for (let number = 0; number < this.ids.end; number++) if (this.ids.has(number)) yield number;
  }

  *pieces(): Generator<CheckpointPiece> {
    yield* this.ids.pieces();
    yield* this.#columns.pieces();
    yield* this.#accountColumns.pieces();
  }

  load(piece: CheckpointPiece): boolean {
    return this.ids.load(piece) || this.#columns.load(piece) || this.#accountColumns.load(piece);
  }

  rest(): ReservationsRest {
    return { ids: this.ids.rest(), books: this.#books, assets: this.#assets };
  }

  finish({ ids, books, assets = [] }: ReservationsRest): void {
    this.ids.finish(ids);
    for (const book of books) this.#internBook(book);
    for (const asset of assets) this.#internAsset(asset);
    for (const number of this.all()) {
      this.#count(number, 1);
      const incoming = this.#incoming.get(number);
      if (incoming !== 0) this.incomingSums.add(this.#account.get(number), this.#incomingAssetOf(number), incoming);
    }
  }

  #count(number: number, change: number): void {
    const counted = this.isAmendment(number) ? this.amendments : this.orders;
    counted.add(this.#account.get(number), change);
  }

  #incomingAssetOf(number: number): string {
    return this.#assets[this.#incomingAsset.get(number) - 1] as string;
  }

  #internAsset(asset: string): number {
    const known = this.#assetNumbers.get(asset);
    if (known !== undefined) return known;
    this.#assetNumbers.set(asset, this.#assets.length);
    return this.#assets.push(asset) - 1;
  }

  #internBook(book: string): number {
    const known = this.#bookNumbers.get(book);
    if (known !== undefined) return known;
    this.#bookNumbers.set(book, this.#books.length);
    return this.#books.push(book) - 1;
  }
}
