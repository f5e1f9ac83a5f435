import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const inboundNodes = z.array(z.array(z.tuple([z.string(), z.number(), z.number(), z.unknown()])));
const layer = z.discriminatedUnion('class_name', [
  z.object({ class_name: z.literal('InputLayer'), name: z.string(), inbound_nodes: inboundNodes }),
  z.object({
    class_name: z.literal('Conv2D'),
    name: z.string(),
    inbound_nodes: inboundNodes,
    config: z.object({
      strides: z.tuple([z.literal(1), z.literal(1)]),
      padding: z.enum(['same', 'valid']),
      dilation_rate: z.tuple([z.literal(1), z.literal(1)]),
      groups: z.literal(1),
      activation: z.literal('linear'),
      use_bias: z.literal(true),
    }),
  }),
  z.object({
    class_name: z.literal('Activation'),
    name: z.string(),
    inbound_nodes: inboundNodes,
    config: z.object({ activation: z.literal('relu') }),
  }),
  z.object({
    class_name: z.literal('Concatenate'),
    name: z.string(),
    inbound_nodes: inboundNodes,
    config: z.object({ axis: z.literal(3) }),
  }),
  z.object({ class_name: z.literal('Add'), name: z.string(), inbound_nodes: inboundNodes }),
  z.object({
    class_name: z.literal('UpSampling2D'),
    name: z.string(),
    inbound_nodes: inboundNodes,
    config: z.object({ size: z.tuple([z.number(), z.number()]), interpolation: z.literal('nearest') }),
  }),
]);
const modelFile = z.object({
  modelTopology: z.object({
    model_config: z.object({
      config: z.object({
        layers: z.array(layer),
        output_layers: z.array(z.tuple([z.string(), z.number(), z.number()])),
      }),
    }),
  }),
  weightsManifest: z.array(
    z.object({
      paths: z.array(z.string()),
      weights: z.array(z.object({ name: z.string(), shape: z.array(z.number()), dtype: z.literal('float32') })),
    }),
  ),
});

type KerasLayer = z.infer<typeof layer>;

export interface KerasWeights {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** A network of the layers that ESRGAN-slim is made of. */
export interface KerasModel {
  readonly layers: readonly KerasLayer[];
  /** Name of the last layer. */
  readonly output: string;
  /** `<layer>/kernel` as [height, width, in, out], `<layer>/bias` as [out]. */
  readonly weights: ReadonlyMap<string, KerasWeights>;
}

/** Reads a TensorFlow.js layers model: model.json and the files of weights beside it. Throws on any layer that is not understood. */
export function readKerasModel(folder: string): KerasModel {
  const file = modelFile.parse(JSON.parse(readFileSync(join(folder, 'model.json'), 'utf8')));
  const weights = new Map<string, KerasWeights>();
  for (const { paths, weights: entries } of file.weightsManifest) {
    const bytes = Buffer.concat(paths.map((path) => readFileSync(join(folder, path))));
    let at = 0;
    for (const { name, shape } of entries) {
      const length = shape.reduce((product, size) => product * size, 1) * Float32Array.BYTES_PER_ELEMENT;
      weights.set(name, { shape, values: new Float32Array(new Uint8Array(bytes.subarray(at, at + length)).buffer) });
      at += length;
    }
    if (at !== bytes.length) throw new Error(`the weights of ${folder} are ${bytes.length} bytes, not ${at}`);
  }
  const { layers, output_layers } = file.modelTopology.model_config.config;
  return { layers, output: output_layers[0]![0], weights };
}
