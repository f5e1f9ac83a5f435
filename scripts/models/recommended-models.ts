import type { Slot } from '../../containers/inference/production/models-file.ts';

export interface ModelFile {
  /** Below MODELS_DIR. */
  readonly path: string;
  /** Of one revision, which does not change. */
  readonly url: string;
  /** Null where nobody has published it: whoever installs the model must then compare and pin it. */
  readonly sha256: string | null;
}

/** A model that we know to fit its slot. */
export interface RecommendedModel {
  readonly slot: Slot;
  /** As it goes into models.json, without file names and hashes. */
  readonly description: {
    readonly name: string;
    readonly licence: string;
    readonly commercialUse: boolean;
    readonly source: string;
    readonly [key: string]: unknown;
  };
  /** One file, or all files of `folder`. */
  readonly files: readonly [ModelFile, ...ModelFile[]];
  readonly folder?: string;
}

const OPENCV_ZOO = 'https://media.githubusercontent.com/media/opencv/opencv_zoo';
const OWL_VIT = 'https://huggingface.co/Xenova/owlvit-base-patch32/resolve/fc7afa5dda9974824cd5c89c0478280df53ed1f1';

const owlVitFile = (path: string): ModelFile => ({
  path: `weapons/owlvit-base-patch32/${path}`,
  url: `${OWL_VIT}/${path}`,
  sha256: null,
});

/** What `npm run models:pull` fetches. Hashes of the OpenCV files are those of its Git LFS pointers. */
export const RECOMMENDED_MODELS: readonly RecommendedModel[] = [
  {
    slot: 'faceDetector',
    description: {
      name: 'yunet-2023mar',
      licence: 'MIT',
      commercialUse: true,
      source: 'https://github.com/opencv/opencv_zoo/tree/main/models/face_detection_yunet',
      input: { width: 640, height: 640, order: 'bgr' },
      output: { decoder: 'yunet', strides: [8, 16, 32] },
      confidenceMin: 0.6,
    },
    files: [
      {
        path: 'faces/face_detection_yunet_2023mar.onnx',
        url: `${OPENCV_ZOO}/82b38c8f98e7b52aa171400f3e4c722352d0669f/models/face_detection_yunet/face_detection_yunet_2023mar.onnx`,
        sha256: '8f2383e4dd3cfbb4553ea8718107fc0423210dc964f9f4280604804ed2552fa4',
      },
    ],
  },
  {
    slot: 'faceEmbedding',
    description: {
      name: 'sface-2021dec',
      licence: 'Apache-2.0',
      commercialUse: true,
      source: 'https://github.com/opencv/opencv_zoo/tree/main/models/face_recognition_sface',
      // The network takes plain values: it scales them itself.
      input: { width: 112, height: 112, order: 'rgb' },
      dimensions: 128,
    },
    files: [
      {
        path: 'faces/face_recognition_sface_2021dec.onnx',
        url: `${OPENCV_ZOO}/edef535367a4f8053b5bfb7580935c83772a9639/models/face_recognition_sface/face_recognition_sface_2021dec.onnx`,
        sha256: '0ba9fbfa01b5270c96627c4ef784da859931e02f04419c829e83484087c34e79',
      },
    ],
  },
  {
    slot: 'weaponDetector',
    description: {
      task: 'zero-shot-object-detection',
      name: 'owlvit-base-patch32',
      licence: 'Apache-2.0',
      commercialUse: true,
      source: 'https://huggingface.co/Xenova/owlvit-base-patch32',
      labels: { 'a knife': 'Knife', 'a handgun': 'Gun', 'a rifle': 'Gun', 'a machete': 'Weapon', 'an axe': 'Weapon' },
      confidenceMin: 0.15,
    },
    folder: 'weapons/owlvit-base-patch32',
    files: [
      owlVitFile('config.json'),
      owlVitFile('preprocessor_config.json'),
      owlVitFile('tokenizer.json'),
      owlVitFile('tokenizer_config.json'),
      owlVitFile('onnx/model.onnx'),
    ],
  },
  {
    slot: 'faceRestoration',
    description: {
      name: 'gfpgan-1.4',
      licence: 'Apache-2.0, with parts from StyleGAN2 and DFDNet under non-commercial licences',
      commercialUse: false,
      source: 'https://github.com/TencentARC/GFPGAN',
      input: { width: 512, height: 512, mean: [127.5, 127.5, 127.5], std: [127.5, 127.5, 127.5], order: 'rgb' },
      output: { mean: [127.5, 127.5, 127.5], std: [127.5, 127.5, 127.5] },
    },
    files: [
      {
        path: 'restoration/gfpgan-v1.4.onnx',
        url: 'https://github.com/clibdev/GFPGAN-onnxruntime-demo/releases/latest/download/gfpgan-v1.4.onnx',
        sha256: '497ff5b6d6008ec101b2714776ce39ce67a722a78720dfce84231e612e45053e',
      },
    ],
  },
];
