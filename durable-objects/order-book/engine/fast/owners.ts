import { hashOf, type Identified, IdTable } from './id-table.ts';
import type { Order } from './order.ts';

const IDLE_MAX = 4_096;

/** An account or an API key that live orders name: one string for all of them. */
export class Owner implements Identified<Owner> {
  readonly id: string;
  readonly hash: number;
  chain: Owner | null = null;
  /** Number of its live orders. */
  live = 0;

  constructor(id: string, hash: number) {
    this.id = id;
    this.hash = hash;
  }
}

/** Owners by id. One without live orders stays for a while, for it mostly comes back: as many as are busy, and IDLE_MAX. */
export class Owners {
  private readonly table = new IdTable<Owner>();
  /** Owners with live orders at the last count. */
  private busy = 0;

  /** The owner of this id, known or new. */
  of(id: string): Owner {
    const { table } = this;
    const hash = hashOf(id);
    const known = table.find(id, hash);
    if (known !== null) return known;
    if (table.size > 2 * this.busy + IDLE_MAX) this.forgetIdle();
    const owner = new Owner(id, hash);
    table.insert(owner);
    return owner;
  }

  private forgetIdle(): void {
    const { table } = this;
    table.forEach((owner) => {
      if (owner.live === 0) table.remove(owner);
    });
    this.busy = table.size;
  }
}
