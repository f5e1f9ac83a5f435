import { NONE } from './level.ts';

/** Numbers for the names that live orders carry (accounts, keys), so that an order holds four bytes of them. */
export class Names {
  private readonly indexes = new Map<string, number>();
  private readonly names: string[] = [];
  private readonly uses: number[] = [];
  private readonly free: number[] = [];

  /** The number of a name in use, or NONE. */
  find(name: string): number {
    return this.indexes.get(name) ?? NONE;
  }

  /** The number of a name, from now on in use once more. */
  acquire(name: string): number {
    let index = this.indexes.get(name);
    if (index === undefined) {
      index = this.free.pop() ?? this.names.length;
      this.indexes.set(name, index);
      this.names[index] = name;
      this.uses[index] = 0;
    }
    this.uses[index]!++;
    return index;
  }

  release(index: number): void {
    if (--this.uses[index]! > 0) return;
    this.indexes.delete(this.names[index]!);
    this.names[index] = '';
    this.free.push(index);
  }

  at(index: number): string {
    return this.names[index]!;
  }
}
