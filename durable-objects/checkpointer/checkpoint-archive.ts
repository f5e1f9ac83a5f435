import type { Hash } from '../../domain/consensus/bytes.ts';
import type { CheckpointCertificate } from '../../domain/consensus/checkpoints/checkpoint-certificate.ts';

/** What a checkpoint has beside its header: 110 kB of signatures, and up to 1,000 hashes. */
export interface ArchivedCheckpoint {
  readonly number: number;
  /** Of its blocks, by height. */
  readonly blocks: readonly Hash[];
  readonly certificate: CheckpointCertificate;
}

/** The bucket of certificates. A certificate may be made again, by other members; each of a number is as good as the other. */
export class CheckpointArchive {
  readonly #bucket: R2Bucket;

  constructor(bucket: R2Bucket) {
    this.#bucket = bucket;
  }

  async keep(archived: ArchivedCheckpoint): Promise<void> {
    await this.#bucket.put(keyOf(archived.number), JSON.stringify(archived));
  }

  /** Null where the bucket has lost it. */
  async get(number: number): Promise<ArchivedCheckpoint | null> {
    return (await (await this.#bucket.get(keyOf(number)))?.json<ArchivedCheckpoint>()) ?? null;
  }
}

function keyOf(number: number): string {
  return `${number}.json`;
}
