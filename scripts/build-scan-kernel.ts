import { readFileSync, writeFileSync } from 'node:fs';
import wabt from 'wabt';

/** Compiles the gallery's scan: `node scripts/build-scan-kernel.ts` after a change of scan.wat; a test holds the two together. */
const folder = 'durable-objects/gallery/shard';

export async function compileScanKernel(): Promise<Uint8Array> {
  // A copy: the parser takes the whole buffer behind the bytes it is given.
  const source = new Uint8Array(readFileSync(`${folder}/scan.wat`));
  const { parseWat } = await wabt();
  return parseWat('scan.wat', source, { simd: true }).toBinary({}).buffer;
}

if (import.meta.main) writeFileSync(`${folder}/scan.wasm`, await compileScanKernel());
