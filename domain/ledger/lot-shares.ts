import { type CheckpointPiece, ColumnSet, Float64Column, Int32Column } from './columns.ts';
import { LedgerViolation } from './ledger-violation.ts';

/** Some shares of a lot, by its number. */
export interface LotShare {
  readonly lot: number;
  readonly quantity: number;
}

export interface LotSharesRest {
  readonly sharesEnd: number;
  readonly sharesFree: readonly number[];
}

/** Which shares of lots each reservation has, chained by reservation, oldest lot first. Links are shares as numbers plus 1, 0 for none. */
export class LotShares {
  readonly #lot = new Int32Column();
  readonly #quantity = new Float64Column();
  readonly #next = new Int32Column();
  readonly #columns = new ColumnSet('lot_shares', { lot: this.#lot, quantity: this.#quantity, next: this.#next });
  /** By reservation. */
  readonly #first = new Int32Column();
  readonly #reservationColumns = new ColumnSet('reservation_shares', { first: this.#first });
  #free: number[] = [];
  #end = 0;

  has(reservation: number): boolean {
    return this.#first.get(reservation) !== 0;
  }

  /** Oldest lot first. */
  of(reservation: number): LotShare[] {
    const shares: LotShare[] = [];
    for (let at = this.#first.get(reservation); at !== 0; at = this.#next.get(at - 1))
      shares.push({ lot: this.#lot.get(at - 1), quantity: this.#quantity.get(at - 1) });
    return shares;
  }

  /** Behind those that the reservation has. */
  add(reservation: number, shares: readonly LotShare[]): void {
    let last = this.#lastOf(reservation);
    for (const { lot, quantity } of shares) {
      const number = this.#free.pop() ?? this.#end++;
      this.#lot.set(number, lot);
      this.#quantity.set(number, quantity);
      this.#next.set(number, 0);
      if (last === 0) this.#first.set(reservation, number + 1);
      else this.#next.set(last - 1, number + 1);
      last = number + 1;
    }
  }

  /**
   * The reservation gives up so many shares of a lot.
   *
   * @throws LedgerViolation when it does not have so many
   */
  giveUp(reservation: number, lot: number, quantity: number): void {
    let before = 0;
    let share = this.#first.get(reservation);
    while (share !== 0 && this.#lot.get(share - 1) !== lot) {
      before = share;
      share = this.#next.get(share - 1);
    }
    if (share === 0 || this.#quantity.get(share - 1) < quantity)
      throw new LedgerViolation(`reservation ${reservation} does not have ${quantity} of lot ${lot}`);
    this.#quantity.add(share - 1, -quantity);
    if (this.#quantity.get(share - 1) > 0) return;
    const next = this.#next.get(share - 1);
    if (before === 0) this.#first.set(reservation, next);
    else this.#next.set(before - 1, next);
    this.#free.push(share - 1);
  }

  *pieces(): Generator<CheckpointPiece> {
    yield* this.#columns.pieces();
    yield* this.#reservationColumns.pieces();
  }

  load(piece: CheckpointPiece): boolean {
    return this.#columns.load(piece) || this.#reservationColumns.load(piece);
  }

  rest(): LotSharesRest {
    return { sharesEnd: this.#end, sharesFree: this.#free };
  }

  finish({ sharesEnd, sharesFree }: LotSharesRest): void {
    this.#end = sharesEnd;
    this.#free = [...sharesFree];
  }

  #lastOf(reservation: number): number {
    let last = this.#first.get(reservation);
    while (last !== 0 && this.#next.get(last - 1) !== 0) last = this.#next.get(last - 1);
    return last;
  }
}
