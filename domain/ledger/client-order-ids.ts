import { type CheckpointPiece, ColumnSet, Int32Column } from './columns.ts';
import { EndedOrders, type EndedOrdersRest } from './ended-orders.ts';
import { IdTable, type IdTableRest } from './id-table.ts';
import type { Owners } from './owners.ts';

/** Entries of one piece of a checkpoint. */
const PIECE_ENTRIES = 2_000;
const CURRENT_PIECE = 'client_keys.current';
const PREVIOUS_PIECE = 'client_keys.previous';

type Entries = readonly (readonly [key: string, order: number])[];

export interface ClientOrderIdsRest {
  readonly orders: IdTableRest;
  readonly added: number;
  /** Left out while those that have ended go by generations. */
  readonly ended?: EndedOrdersRest;
}

/**
 * Which order of an account carries a client order id: those of open orders, and of the latest others. By the rules of before, those are kept in two generations,
 * and what is still open moves on when the older one goes; now whoever has most of them gives room (`EndedOrders`), and there is one generation.
 */
export class ClientOrderIds {
  readonly #accounts: IdTable;
  readonly #owners: Owners;
  /** Ids of one generation; with fewer than there are, the next id begins another. */
  #generationMax = 0;
  /** Null while generations go. */
  #ended: EndedOrders | null = null;
  /** Orders that carry one. */
  readonly #orders = new IdTable('client_orders');
  readonly #isOpen = new Int32Column();
  readonly #columns = new ColumnSet('client_order', { isOpen: this.#isOpen });
  readonly #keys: string[] = [];
  /** Numbers of orders by the number of their account and their client order id. */
  #current = new Map<string, number>();
  #previous = new Map<string, number>();
  /** Since the generation began. What moved into it because it is open does not count: it would make every order begin another. */
  #added = 0;

  constructor(accounts: IdTable, owners: Owners) {
    this.#accounts = accounts;
    this.#owners = owners;
    owners.onLearned((account, { partner }) => this.#ended?.joined(account, partner));
  }

  /** @param byOwner whether who has most gives room, of twice a generation; else the older generation goes */
  goBy(generationMax: number, byOwner: boolean): void {
    this.#generationMax = generationMax;
    if (byOwner === (this.#ended !== null)) return;
    if (!byOwner) {
      this.#added = this.#ended?.size ?? 0;
      this.#ended = null;
      return;
    }
    this.#ended = new EndedOrders();
    this.#current = new Map([...this.#previous, ...this.#current]);
    this.#previous = new Map();
    for (const order of this.#current.values()) if (this.#isOpen.get(order) === 0) this.#addEnded(order);
    this.#makeRoom();
  }

  /** The order of this account that carries the id, or null. */
  orderOf(account: string, clientOrderId: string): string | null {
    const holder = this.#accounts.find(account);
    if (holder < 0) return null;
    const key = keyOf(holder, clientOrderId);
    const order = this.#current.get(key) ?? this.#previous.get(key);
    return order === undefined ? null : this.#orders.text(order);
  }

  /** What the order was called, or null; of a final order, as long as it is remembered. */
  clientOrderIdOf(orderId: string): string | null {
    const order = this.#orders.find(orderId);
    return order < 0 ? null : partsOf(this.#keys[order] as string)[1];
  }

  add(account: string, clientOrderId: string, orderId: string, isOpen: boolean): void {
    if (this.#ended === null) {
      if (this.#added >= this.#generationMax) this.#turn();
      this.#added += 1;
    }
    const key = keyOf(this.#accounts.intern(account), clientOrderId);
    const order = this.#orders.intern(orderId);
    this.#isOpen.set(order, isOpen ? 1 : 0);
    this.#keys[order] = key;
    this.#current.set(key, order);
    if (isOpen) return;
    this.#addEnded(order);
    this.#makeRoom();
  }

  /** The order is final. One that was never matched (`wasReleased`) leaves its client order id to the attempt that follows. */
  ended(orderId: string, wasReleased: boolean): void {
    const order = this.#orders.find(orderId);
    if (order < 0 || this.#isOpen.get(order) === 0) return;
    this.#isOpen.set(order, 0);
    if (!wasReleased) {
      this.#addEnded(order);
      this.#makeRoom();
      return;
    }
    const key = this.#keys[order] as string;
    this.#current.delete(key);
    this.#previous.delete(key);
    this.#forget(order);
  }

  /** Every client order id, with a hash of the account that gave it, and of the order that carries it. */
  *entries(): Generator<{ readonly account: number; readonly clientOrderId: string; readonly order: number }> {
    for (const generation of [this.#current, this.#previous])
      for (const [key, order] of generation) {
        const [account, clientOrderId] = partsOf(key);
        yield { account: this.#accounts.hash(account), clientOrderId, order: this.#orders.hash(order) };
      }
  }

  /** Which goes before which, of those of an account that have ended; none while generations go. */
  *endedPlaces(): Generator<{ readonly order: number; readonly place: number }> {
    for (const { order, place } of this.#ended?.places() ?? []) yield { order: this.#orders.hash(order), place };
  }

  *pieces(): Generator<CheckpointPiece> {
    yield* this.#orders.pieces();
    yield* this.#columns.pieces();
    yield* piecesOf(CURRENT_PIECE, this.#current);
    yield* piecesOf(PREVIOUS_PIECE, this.#previous);
  }

  load(piece: CheckpointPiece): boolean {
    if (piece.name !== CURRENT_PIECE && piece.name !== PREVIOUS_PIECE)
      return this.#orders.load(piece) || this.#columns.load(piece);
    const generation = piece.name === CURRENT_PIECE ? this.#current : this.#previous;
    for (const [key, order] of JSON.parse(new TextDecoder().decode(piece.data)) as Entries) {
      generation.set(key, order);
      this.#keys[order] = key;
    }
    return true;
  }

  rest(): ClientOrderIdsRest {
    const ended = this.#ended === null ? {} : { ended: this.#ended.rest() };
    return { orders: this.#orders.rest(), added: this.#added, ...ended };
  }

  /** Call it once it goes by the rules of the checkpoint. */
  finish({ orders, added, ended = [] }: ClientOrderIdsRest): void {
    this.#orders.finish(orders);
    this.#added = added;
    this.#ended?.finish(ended);
  }

  #addEnded(order: number): void {
    if (this.#ended === null) return;
    const [account] = partsOf(this.#keys[order] as string);
    this.#ended.add(account, this.#owners.ownerOf(account).partner, order);
  }

  #makeRoom(): void {
    while (this.#ended !== null && this.#ended.size > 2 * this.#generationMax) {
      const order = this.#ended.takeOne();
      this.#current.delete(this.#keys[order] as string);
      this.#forget(order);
    }
  }

  #turn(): void {
    const open = new Map<string, number>();
    for (const [key, order] of this.#previous) {
      if (this.#isOpen.get(order) === 1) open.set(key, order);
      else this.#forget(order);
    }
    this.#previous = this.#current;
    this.#current = open;
    this.#added = 0;
  }

  #forget(order: number): void {
    this.#orders.release(order);
    this.#keys[order] = '';
  }
}

/** Joined, because a template's parts stay in memory beside it. */
function keyOf(account: number, clientOrderId: string): string {
  return [account, clientOrderId].join(' ');
}

function partsOf(key: string): [account: number, clientOrderId: string] {
  const space = key.indexOf(' ');
  return [Number(key.slice(0, space)), key.slice(space + 1)];
}

function* piecesOf(name: string, generation: ReadonlyMap<string, number>): Generator<CheckpointPiece> {
  let entries: (readonly [key: string, order: number])[] = [];
  const piece = (): CheckpointPiece => ({ name, data: new TextEncoder().encode(JSON.stringify(entries)) });
  for (const entry of generation) {
    entries.push(entry);
    if (entries.length < PIECE_ENTRIES) continue;
    yield piece();
    entries = [];
  }
  if (entries.length > 0) yield piece();
}
