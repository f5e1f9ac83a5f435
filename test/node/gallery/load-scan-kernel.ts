import { readFileSync } from 'node:fs';
import type { ScanKernel } from '../../../durable-objects/gallery/shard/scan-kernel.ts';

/** Types of Node lack WebAssembly, which it has. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    Module: new (binary: Uint8Array) => object;
    Instance: new (module: object) => { exports: unknown };
  };
};
const module = new WebAssembly.Module(readFileSync('durable-objects/gallery/shard/scan.wasm'));

export function loadScanKernel(): ScanKernel {
  return new WebAssembly.Instance(module).exports as ScanKernel;
}
