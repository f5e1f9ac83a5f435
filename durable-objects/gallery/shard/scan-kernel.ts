/** An instance of scan.wasm, with a memory of its own; scan.wat says what it does. */
export interface ScanKernel {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /** Answers how many entries it has written to `out`. */
  scan(
    block: number,
    blocks: number,
    stride: number,
    vectorsInBlock: number,
    units: number,
    firstNumber: number,
    query: number,
    queryScale: number,
    bias: number,
    rounding: number,
    slack: number,
    cut: number,
    out: number,
  ): number;
}
