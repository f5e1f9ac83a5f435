/** Members by how many they have: who has most, and of equals who came to that number first. */
export class Ranking {
  /** By how many; no set is empty. */
  readonly #with = new Map<number, Set<number>>();
  /** Nobody has more. */
  #most = 0;

  /** A member has another number than before; 0 for one that is not in it. */
  move(member: number, before: number, after: number): void {
    const left = this.#with.get(before);
    left?.delete(member);
    if (left?.size === 0) this.#with.delete(before);
    if (after === 0) return;
    const joined = this.#with.get(after);
    if (joined === undefined) this.#with.set(after, new Set([member]));
    else joined.add(member);
    this.#most = Math.max(this.#most, after);
  }

  /** Who has most. @throws Error where there is nobody */
  heaviest(): number {
    if (this.#with.size === 0) throw new Error('nobody has anything');
    let members = this.#with.get(this.#most);
    while (members === undefined) {
      this.#most -= 1;
      members = this.#with.get(this.#most);
    }
    return members.values().next().value as number;
  }

  /** In an order in which they can be put into an empty one, each at once, and it is the same. */
  members(): number[] {
    const numbers = [...this.#with.keys()].sort((a, b) => a - b);
    return numbers.flatMap((count) => [...(this.#with.get(count) ?? [])]);
  }
}
