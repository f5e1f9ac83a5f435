import { createRequire } from 'node:module';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runModel } from '../../onnx/run-model.ts';
import { faceDescriptorNetwork } from './face-descriptor-network.ts';
import { DETECTOR_INPUT_SIDE, faceDetectorNetwork } from './face-detector-network.ts';
import { faceLandmarkNetwork, LANDMARK_INPUT_SIDE } from './face-landmark-network.ts';
import { loadNetwork } from './load-network.ts';
import { CENTERED_PIXELS, SIGNED_PIXELS } from './pixel-layouts.ts';

/** What of TensorFlow.js and face-api is used here to compare with. */
interface TensorFlow {
  setBackend(name: 'wasm'): Promise<boolean>;
  ready(): Promise<void>;
  tensor3d(values: Int32Array, shape: [number, number, number], type: 'int32'): FlowTensor;
}
interface FlowTensor {
  data(): Promise<Float32Array>;
}
interface Loadable {
  loadFromDisk(folder: string): Promise<void>;
}
interface FaceApi {
  readonly nets: {
    readonly ssdMobilenetv1: Loadable & { forwardInput(input: unknown): { scores: [FlowTensor] } };
    readonly faceLandmark68Net: Loadable & {
      detectLandmarks(input: FlowTensor): Promise<{ relativePositions: { x: number; y: number }[] }>;
    };
    readonly faceRecognitionNet: Loadable & { computeFaceDescriptor(input: FlowTensor): Promise<Float32Array> };
  };
  toNetInput(input: FlowTensor): Promise<unknown>;
}

const require = createRequire(import.meta.url);
const tensorflow: TensorFlow = require('@tensorflow/tfjs');
const wasm: { setWasmPaths(folder: string): void } = require('@tensorflow/tfjs-backend-wasm');
const faceApi: FaceApi = require('@vladmandic/face-api/dist/face-api.node-wasm.js');
const folderOf = (name: string) => path.dirname(require.resolve(`${name}/package.json`));

/** A picture with edges and gradients; what it shows is no matter. */
function picture(side: number) {
  const data = new Uint8Array(side * side * 3);
  for (let i = 0; i < data.length; i += 1) {
    const [x, y, channel] = [Math.floor(i / 3) % side, Math.floor(i / 3 / side), i % 3];
    data[i] = 127 + 120 * Math.sin((x * (channel + 1)) / 17) * Math.cos(y / (11 + channel));
  }
  return {
    image: { width: side, height: side, data },
    tensor: tensorflow.tensor3d(new Int32Array(data), [side, side, 3], 'int32'),
  };
}

function expectSame(ours: Float32Array, theirs: ArrayLike<number>, tolerance: number): void {
  expect(ours.length).toBe(theirs.length);
  let worst = 0;
  for (let i = 0; i < ours.length; i += 1) worst = Math.max(worst, Math.abs(ours[i]! - theirs[i]!));
  expect(worst).toBeLessThan(tolerance);
}

/** Loading and running face-api's own, on a machine that is busy with other tests. */
const TIMEOUT_MS = 60_000;

describe("each network answers as face-api's own", { timeout: TIMEOUT_MS }, () => {
  beforeAll(async () => {
    wasm.setWasmPaths(`${folderOf('@tensorflow/tfjs-backend-wasm')}/wasm-out/`);
    await tensorflow.setBackend('wasm');
    await tensorflow.ready();
    const folder = path.join(folderOf('@vladmandic/face-api'), 'model');
    const { ssdMobilenetv1, faceLandmark68Net, faceRecognitionNet } = faceApi.nets;
    for (const network of [ssdMobilenetv1, faceLandmark68Net, faceRecognitionNet]) await network.loadFromDisk(folder);
  }, TIMEOUT_MS);

  it('the detector', async () => {
    const { image, tensor } = picture(DETECTOR_INPUT_SIDE);
    const { session } = await loadNetwork('ssd_mobilenetv1_model', faceDetectorNetwork);
    const classes = (await runModel(session, image, SIGNED_PIXELS))('classes').values;
    const ours = Float32Array.from({ length: classes.length / 3 }, (_, i) => 1 / (1 + Math.exp(-classes[3 * i + 1]!)));
    const theirs = faceApi.nets.ssdMobilenetv1.forwardInput(await faceApi.toNetInput(tensor));
    expectSame(ours, await theirs.scores[0].data(), 1e-4);
  });

  it('the landmark network', async () => {
    const { image, tensor } = picture(LANDMARK_INPUT_SIDE);
    const { session } = await loadNetwork('face_landmark_68_model', faceLandmarkNetwork);
    const ours = (await runModel(session, image, CENTERED_PIXELS))('points').values;
    const theirs = await faceApi.nets.faceLandmark68Net.detectLandmarks(tensor);
    expectSame(
      ours,
      theirs.relativePositions.flatMap(({ x, y }) => [x, y]),
      1e-5,
    );
  });

  it('the descriptor network', async () => {
    const { image, tensor } = picture(150);
    const { session } = await loadNetwork('face_recognition_model', faceDescriptorNetwork);
    const ours = (await runModel(session, image, CENTERED_PIXELS))('descriptor').values;
    expectSame(ours, await faceApi.nets.faceRecognitionNet.computeFaceDescriptor(tensor), 1e-5);
  });
});
