import { type InferenceSession, Tensor } from 'onnxruntime-node';
import type { RgbImage } from '../engine/engine.ts';
import { type PixelLayout, toPlanes } from './pixel-planes.ts';

/** Runs a network on an image, with what further inputs it has; answers its outputs, which must be float32, by name. */
export async function runModel(
  session: InferenceSession,
  image: RgbImage,
  layout: PixelLayout,
  further: Readonly<Record<string, Tensor>> = {},
): Promise<(name: string) => { readonly values: Float32Array; readonly shape: readonly number[] }> {
  const name = session.inputNames.find((input) => !(input in further));
  if (name === undefined) throw new Error('the model takes no image');
  const pixels = new Tensor('float32', toPlanes(image, layout), [1, 3, image.height, image.width]);
  const outputs = await session.run({ ...further, [name]: pixels });
  return (output) => {
    const tensor = outputs[output];
    if (tensor === undefined)
      throw new Error(`the model has no output ${output}; it has ${session.outputNames.join(', ')}`);
    if (!(tensor.data instanceof Float32Array)) throw new Error(`the output ${output} is no float32`);
    return { values: tensor.data, shape: tensor.dims };
  };
}
