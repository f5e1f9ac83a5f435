import { Ranking } from './ranking.ts';

/** Of one account: its orders, oldest first, with its partner's number, −1 for none. */
type KeptAccount = readonly [account: number, partner: number, orders: readonly number[]];

export type EndedOrdersRest = readonly KeptAccount[];

interface OrdersOfAccount {
  /** Oldest first, from `oldest` on. */
  orders: number[];
  oldest: number;
  partner: number;
}

interface OrdersOfPartner {
  count: number;
  readonly accounts: Ranking;
}

/** Places before the oldest that an account's list may have. */
const GONE_MAX = 16;

/**
 * Orders that have ended and whose client order ids are remembered, by number. Where there are too many, the oldest of who has most gives room: an account, or all
 * accounts of a partner's investors together, and among those again the account that has most. So whoever places pushes out their own, and nobody those of others
 * who have fewer: with k of them each is sure of one part in k.
 */
export class EndedOrders {
  readonly #ofAccount = new Map<number, OrdersOfAccount>();
  readonly #ofPartner = new Map<number, OrdersOfPartner>();
  /** Accounts without a partner by their number, partners by theirs (`memberOf`). */
  readonly #ranking = new Ranking();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** An order of the account has ended. @param partner of the account, −1 for none */
  add(account: number, partner: number, order: number): void {
    const of = this.#ofAccount.get(account) ?? { orders: [], oldest: 0, partner };
    this.#ofAccount.set(account, of);
    const before = countOf(of);
    of.orders.push(order);
    this.#size += 1;
    this.#moved(account, of.partner, before, before + 1);
  }

  /** Takes the oldest of who has most. */
  takeOne(): number {
    const member = this.#ranking.heaviest();
    const account =
      member >= 0 ? member : (this.#ofPartner.get(partnerOf(member)) as OrdersOfPartner).accounts.heaviest();
    const of = this.#ofAccount.get(account) as OrdersOfAccount;
    const before = countOf(of);
    const order = of.orders[of.oldest] as number;
    of.oldest += 1;
    this.#size -= 1;
    this.#moved(account, of.partner, before, before - 1);
    if (before === 1) this.#ofAccount.delete(account);
    else if (of.oldest > GONE_MAX && of.oldest * 2 > of.orders.length) {
      of.orders = of.orders.slice(of.oldest);
      of.oldest = 0;
    }
    return order;
  }

  /** The account turns out to be one of a partner's investor. */
  joined(account: number, partner: number): void {
    const of = this.#ofAccount.get(account);
    if (of === undefined) return;
    const count = countOf(of);
    this.#moved(account, of.partner, count, 0);
    of.partner = partner;
    this.#moved(account, partner, 0, count);
  }

  /** Each with its place in the list of its account, the oldest first. */
  *places(): Generator<{ readonly order: number; readonly place: number }> {
    for (const { orders, oldest } of this.#ofAccount.values())
      for (let at = oldest; at < orders.length; at++) yield { order: orders[at] as number, place: at - oldest };
  }

  rest(): EndedOrdersRest {
    return this.#ranking.members().flatMap((member): KeptAccount[] => {
      if (member >= 0) return [this.#kept(member)];
      const { accounts } = this.#ofPartner.get(partnerOf(member)) as OrdersOfPartner;
      return accounts.members().map((account) => this.#kept(account));
    });
  }

  /** Call it on an empty one. Accounts of a partner follow each other, so that each member takes its place at once. */
  finish(rest: EndedOrdersRest): void {
    for (let from = 0; from < rest.length; ) {
      const [first, partner] = rest[from] as KeptAccount;
      let to = from + 1;
      while (partner >= 0 && rest[to]?.[1] === partner) to += 1;
      let total = 0;
      const accounts = new Ranking();
      for (const [account, , orders] of rest.slice(from, to)) {
        this.#ofAccount.set(account, { orders: [...orders], oldest: 0, partner });
        accounts.move(account, 0, orders.length);
        total += orders.length;
      }
      if (partner >= 0) this.#ofPartner.set(partner, { count: total, accounts });
      this.#ranking.move(partner >= 0 ? memberOf(partner) : first, 0, total);
      this.#size += total;
      from = to;
    }
  }

  #kept(account: number): KeptAccount {
    const { orders, oldest, partner } = this.#ofAccount.get(account) as OrdersOfAccount;
    return [account, partner, orders.slice(oldest)];
  }

  /** An account has another number than before. */
  #moved(account: number, partner: number, before: number, after: number): void {
    if (partner < 0) {
      this.#ranking.move(account, before, after);
      return;
    }
    const of = this.#ofPartner.get(partner) ?? { count: 0, accounts: new Ranking() };
    const count = of.count;
    of.count += after - before;
    of.accounts.move(account, before, after);
    this.#ranking.move(memberOf(partner), count, of.count);
    if (of.count === 0) this.#ofPartner.delete(partner);
    else this.#ofPartner.set(partner, of);
  }
}

function countOf({ orders, oldest }: OrdersOfAccount): number {
  return orders.length - oldest;
}

/** A partner among accounts: below 0. */
function memberOf(partner: number): number {
  return -1 - partner;
}

function partnerOf(member: number): number {
  return -1 - member;
}
