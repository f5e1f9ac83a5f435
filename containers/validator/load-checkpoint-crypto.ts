import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { wasmBls } from '../../domain/consensus/checkpoints/bls-wasm.ts';
import type { CheckpointCrypto } from '../../domain/consensus/checkpoints/checkpoint-crypto.ts';
import { nobleMlDsa } from '../../domain/consensus/checkpoints/ml-dsa-noble.ts';

/** Types of Node lack WebAssembly, which it has. */
const { WebAssembly } = globalThis as unknown as { WebAssembly: { Module: new (binary: Uint8Array) => object } };

const BLS_MODULE = fileURLToPath(new URL('../../domain/consensus/checkpoints/bls.wasm', import.meta.url));

/** What checks checkpoints in Node. The file is written when the packages are installed. */
export function loadCheckpointCrypto(): CheckpointCrypto {
  return { bls: wasmBls(new WebAssembly.Module(readFileSync(BLS_MODULE))), mlDsa: nobleMlDsa };
}
