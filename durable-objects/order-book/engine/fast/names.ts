import { NONE } from './level.ts';

/** Numbers for the names that live orders carry (accounts, API keys), so that an order holds four bytes of them. */
export class Names {
  private readonly numbers = new Map<string, number>();
  private readonly names: string[] = [];
  private readonly free: number[] = [];

  get size(): number {
    return this.numbers.size;
  }

  /** The number of a name, or NONE. */
  find(name: string): number {
    return this.numbers.get(name) ?? NONE;
  }

  /** The number of a name, known or new. */
  of(name: string): number {
    const known = this.numbers.get(name);
    if (known !== undefined) return known;
    const number = this.free.pop() ?? this.names.length;
    this.numbers.set(name, number);
    this.names[number] = name;
    return number;
  }

  at(number: number): string {
    return this.names[number]!;
  }

  /** Forgets all names but those of these numbers. */
  keep(numbers: ReadonlySet<number>): void {
    for (const [name, number] of this.numbers) {
      if (numbers.has(number)) continue;
      this.numbers.delete(name);
      this.names[number] = '';
      this.free.push(number);
    }
  }
}
