/** Ids that one call looks at where it wants only some of them. */
const LOOKED_AT_MAX = 10_000;

/** Ids that take turns: each call goes on where the last one ended, oldest first, and costs what it looks at, however many there are. */
export class Turns {
  readonly #ids = new Set<string>();
  #turn: Iterator<string> = this.#ids.values();

  get size(): number {
    return this.#ids.size;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    this.#ids.add(id);
  }

  delete(id: string): void {
    this.#ids.delete(id);
  }

  /** At most so many whose turn it is and that are meant, none of them twice. Those that are not meant have had their turn. */
  next(count: number, isMeant: (id: string) => boolean = () => true): string[] {
    const ids: string[] = [];
    let left = Math.min(LOOKED_AT_MAX, this.#ids.size);
    while (ids.length < count && left > 0) {
      const { done, value } = this.#turn.next();
      if (done) this.#turn = this.#ids.values();
      else {
        left -= 1;
        if (isMeant(value)) ids.push(value);
      }
    }
    return ids;
  }
}
