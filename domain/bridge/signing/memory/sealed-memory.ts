import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { RecordChange, RecordKind, SignerMemory } from './signer-memory.ts';

const KEY_BYTES_MIN = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Whose records they are. */
export interface SealedMemoryOwner {
  readonly organization: string;
  /** 0 to 4. */
  readonly signer: number;
}

/**
 * Encrypts each record before it is stored: AES-256-GCM under a key that follows from the signer's secret and the organization. A record opens only in its own place: its
 * kind, its id (of a share: scheme, group key and generation), the organization and the signer are authenticated with it.
 */
export class SealedMemory implements SignerMemory {
  readonly #inner: SignerMemory;
  readonly #owner: string;
  readonly #key: Uint8Array;

  /**
   * @param secret 32 bytes or more, the same for good (BRIDGE_SIGNER_KEY)
   * @throws RangeError where it is too short
   */
  constructor(inner: SignerMemory, secret: Uint8Array, { organization, signer }: SealedMemoryOwner) {
    if (secret.length < KEY_BYTES_MIN) throw new RangeError(`a signer’s secret has ${KEY_BYTES_MIN} bytes or more`);
    this.#inner = inner;
    this.#owner = JSON.stringify(['edge.bridge.signer.v1', organization, signer]);
    this.#key = new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(), Buffer.from(this.#owner), KEY_BYTES_MIN));
  }

  /** @throws Error where the record was changed, or is another’s */
  read(kind: RecordKind, id: string): string | null {
    const text = this.#inner.read(kind, id);
    if (text === null) return null;
    const sealed = Buffer.from(text, 'base64');
    const cipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    cipher.setAAD(this.#place(kind, id));
    cipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    const open = cipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES));
    return Buffer.concat([open, cipher.final()]).toString();
  }

  ids(kind: RecordKind): readonly string[] {
    return this.#inner.ids(kind);
  }

  write(changes: readonly RecordChange[]): void {
    this.#inner.write(
      changes.map(({ kind, id, text }) => ({ kind, id, text: text === null ? null : this.#seal(kind, id, text) })),
    );
  }

  #seal(kind: RecordKind, id: string, text: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(this.#place(kind, id));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64');
  }

  #place(kind: RecordKind, id: string): Buffer {
    return Buffer.from(JSON.stringify([this.#owner, kind, id]));
  }
}
