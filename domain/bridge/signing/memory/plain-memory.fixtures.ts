import type { RecordChange, RecordKind, SignerMemory } from './signer-memory.ts';

/** Records of a test. It outlives the signers that are made over it, as a disk does. */
export class PlainMemory implements SignerMemory {
  readonly records = new Map<string, string>();
  /** Writes that may still be made; the one after fails before its change at this place. */
  #failsAt: number | null = null;

  read(kind: RecordKind, id: string): string | null {
    return this.records.get(`${kind} ${id}`) ?? null;
  }

  ids(kind: RecordKind): readonly string[] {
    return [...this.records.keys()]
      .filter((key) => key.startsWith(`${kind} `))
      .map((key) => key.slice(kind.length + 1));
  }

  write(changes: readonly RecordChange[]): void {
    for (const { kind, id, text } of changes) {
      if (this.#failsAt !== null) {
        if (this.#failsAt === 0) throw new Error('the power is gone');
        this.#failsAt -= 1;
      }
      if (text === null) this.records.delete(`${kind} ${id}`);
      else this.records.set(`${kind} ${id}`, text);
    }
  }

  /** After so many more changes the disk takes none, until `mend`. */
  failAfter(changes: number): void {
    this.#failsAt = changes;
  }

  mend(): void {
    this.#failsAt = null;
  }
}
