import { NONE } from './level.ts';
import { TextIndex } from './text-index.ts';

const IDLE_AT_LEAST = 4_096;

/**
 * Numbers for the names that live orders carry (accounts, keys), so that an order holds four bytes of them. A name that has gone out of
 * use keeps its number for a while, for an account comes back with its next order; no more are kept than are in use, or IDLE_AT_LEAST.
 */
export class Names {
  private readonly index = new TextIndex();
  private readonly uses: number[] = [];
  private readonly free: number[] = [];
  private idle = 0;

  /** The number of a name that is or was in use, or NONE. */
  find(name: string): number {
    return this.index.find(name);
  }

  /** The number of a name, from now on in use once more. `found` is what `find` has said of it, perhaps a while ago, or NONE. */
  acquire(name: string, found: number): number {
    let number = found !== NONE && this.index.at(found) === name ? found : this.index.find(name);
    if (number === NONE) {
      number = this.free.pop() ?? this.uses.length;
      this.index.set(number, name);
      this.uses[number] = 0;
      this.idle++;
    }
    if (this.uses[number]!++ === 0) this.idle--;
    return number;
  }

  release(number: number): void {
    if (--this.uses[number]! > 0) return;
    const inUse = this.uses.length - this.free.length - ++this.idle;
    if (this.idle > Math.max(inUse, IDLE_AT_LEAST)) this.forgetIdle();
  }

  at(number: number): string {
    return this.index.at(number);
  }

  private forgetIdle(): void {
    const isFree = new Set(this.free);
    this.uses.forEach((uses, number) => {
      if (uses > 0 || isFree.has(number)) return;
      this.index.delete(number);
      this.free.push(number);
    });
    this.idle = 0;
  }
}
