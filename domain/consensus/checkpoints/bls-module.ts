/** What is called of the module of bls-eth-wasm (`bls/bls.h` of herumi/bls, `mcl/bn.h` of herumi/mcl). Places are addresses in its memory. */
interface BlsExports {
  __wasm_call_ctors(): void;
  stackSave(): number;
  stackAlloc(bytes: number): number;
  stackRestore(top: number): void;
  blsInit(curve: number, compiledTimeVar: number): number;
  blsSetETHmode(mode: number): number;
  blsPublicKeyVerifyOrder(isChecked: number): void;
  blsSignatureVerifyOrder(isChecked: number): void;
  blsSecretKeyDeserialize(secret: number, bytes: number, length: number): number;
  blsSecretKeyIsZero(secret: number): number;
  blsPublicKeyDeserialize(key: number, bytes: number, length: number): number;
  blsPublicKeySerialize(bytes: number, length: number, key: number): number;
  blsPublicKeyIsZero(key: number): number;
  blsSignatureDeserialize(signature: number, bytes: number, length: number): number;
  blsSignatureSerialize(bytes: number, length: number, signature: number): number;
  blsGetPublicKey(key: number, secret: number): void;
  blsSign(signature: number, secret: number, message: number, length: number): void;
  blsAggregateSignature(sum: number, signatures: number, count: number): void;
  blsFastAggregateVerify(signature: number, keys: number, count: number, message: number, length: number): number;
  blsVerifyPairing(signature: number, hashed: number, key: number): number;
  mclBnG2_hashAndMapToWithDst(point: number, message: number, length: number, tag: number, tagLength: number): number;
  mclBnG2_mulCT(product: number, point: number, secret: number): void;
}

/** Types of Node lack WebAssembly, which it has. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    Memory: new (limits: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
    Instance: new (module: object, imports: object) => { readonly exports: unknown };
  };
};

const BLS12_381 = 5;
/** Sizes that the module is compiled for: 4 words of a scalar, 6 of a field element, its Ethereum mode (`MCLBN_COMPILED_TIME_VAR`). */
const COMPILED_TIME_VAR = 4 * 10 + 6 + 200;
/** Hashes as RFC 9380 does, under the tag of the proof-of-possession ciphersuite. */
const DRAFT_07 = 3;
const MEMORY_PAGES = 32;
/** Of the module's stack, which has 1 MiB. */
const FRAME_BYTES_MAX = 256 * 1_024;

/** Space on the module's stack for one call. */
export interface Frame {
  /** The address of so many bytes. */
  take(length: number): number;
  /** The address of these bytes, one behind the other. */
  put(...parts: readonly Uint8Array[]): number;
  read(at: number, length: number): Uint8Array;
}

/** One instance of the module. Calls are synchronous; what a call has put on the stack is wiped at its end, secrets among it. */
export class BlsModule {
  readonly calls: BlsExports;
  readonly #memory = new WebAssembly.Memory({ initial: MEMORY_PAGES });

  constructor(module: object) {
    const { exports } = new WebAssembly.Instance(module, { env: { memory: this.#memory } });
    this.calls = exports as BlsExports;
    this.calls.__wasm_call_ctors();
    if (this.calls.blsInit(BLS12_381, COMPILED_TIME_VAR) !== 0 || this.calls.blsSetETHmode(DRAFT_07) !== 0)
      throw new Error('not a module of bls-eth-wasm that this code knows');
    this.calls.blsPublicKeyVerifyOrder(1);
    this.calls.blsSignatureVerifyOrder(1);
  }

  /** Throws a RangeError for more than a frame holds. */
  frame<T>(use: (frame: Frame) => T): T {
    const top = this.calls.stackSave();
    const take = (length: number): number => {
      if (top - this.calls.stackSave() + length > FRAME_BYTES_MAX) throw new RangeError('more than a frame holds');
      return this.calls.stackAlloc(length);
    };
    const put = (...parts: readonly Uint8Array[]): number => {
      const start = take(parts.reduce((sum, { length }) => sum + length, 0));
      let at = start;
      for (const part of parts) {
        this.#bytes(at, part.length).set(part);
        at += part.length;
      }
      return start;
    };
    try {
      return use({ take, put, read: (at, length) => this.#bytes(at, length).slice() });
    } finally {
      const low = this.calls.stackSave();
      this.#bytes(low, top - low).fill(0);
      this.calls.stackRestore(top);
    }
  }

  #bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, at, length);
  }
}
