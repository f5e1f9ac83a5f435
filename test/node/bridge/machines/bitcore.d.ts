/** What tests use of bitcore, which has no types of its own. */
interface BitcoreTransaction {
  readonly inputs: readonly { output?: object; readonly script: object; readonly witnesses?: readonly Uint8Array[] }[];
  readonly vsize?: number;
  verify(): true | string;
  toBuffer(): Uint8Array;
}

interface Bitcore {
  readonly Transaction: (new (
    raw: string,
  ) => BitcoreTransaction) & {
    readonly Output: new (of: { script: object; satoshis: number }) => object;
  };
  readonly Script: {
    fromBuffer(bytes: Uint8Array): object;
    readonly Interpreter: Readonly<Record<`SCRIPT_VERIFY_${string}`, number | undefined>> &
      (new () => {
        readonly errstr: string;
        verify(
          script: object,
          output: object,
          of: BitcoreTransaction,
          input: number,
          flags: number,
          witness: readonly Uint8Array[],
          satoshis: number,
        ): boolean;
      });
  };
}

declare module 'bitcore-lib' {
  const bitcore: Bitcore & {
    readonly crypto: {
      readonly Schnorr: {
        verify: (key: Uint8Array, message: Uint8Array, signature: Uint8Array | { toBuffer(): Uint8Array }) => boolean;
      };
    };
  };
  export default bitcore;
}

declare module 'bitcore-lib-ltc' {
  const bitcore: Bitcore;
  export default bitcore;
}

declare module 'bitcore-lib-doge' {
  const bitcore: Bitcore;
  export default bitcore;
}
