import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as tf from '@tensorflow/tfjs';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import type { RgbImage } from '../engine/engine.ts';
import { esrganFolder } from '../upscaling/esrgan-upscaler.ts';

/** The published ESRGAN-slim network run by TensorFlow.js itself, on its WASM backend: what our own is compared with. */
export async function loadTensorFlowUpscaler(scale: 2 | 4): Promise<(image: RgbImage) => Promise<RgbImage>> {
  setWasmPaths(`${dirname(fileURLToPath(import.meta.resolve('@tensorflow/tfjs-backend-wasm')))}/`);
  await tf.setBackend('wasm');
  const network = await tf.loadLayersModel(fromFolder(esrganFolder(scale)));
  return async ({ width, height, data }) => {
    const enlarged = tf.tidy(() => {
      const pixels = tf.tensor4d(Float32Array.from(data), [1, height, width, 3]);
      return (network.predict(pixels) as tf.Tensor).clipByValue(0, 255).round();
    });
    const pixels = Uint8Array.from(await enlarged.data());
    enlarged.dispose();
    return { width: width * scale, height: height * scale, data: pixels };
  };
}

function fromFolder(folder: string): tf.io.IOHandler {
  return {
    load: async () => {
      const { modelTopology, weightsManifest } = JSON.parse(readFileSync(join(folder, 'model.json'), 'utf8')) as {
        modelTopology: object;
        weightsManifest: tf.io.WeightsManifestConfig;
      };
      const bytes = Buffer.concat(
        weightsManifest.flatMap(({ paths }) => paths).map((path) => readFileSync(join(folder, path))),
      );
      return {
        modelTopology,
        weightSpecs: weightsManifest.flatMap(({ weights }) => weights),
        weightData: new Uint8Array(bytes).buffer,
      };
    },
  };
}
