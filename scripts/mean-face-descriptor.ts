/**
 * Computes the mean face that embeddings are centred on, from photographs of as many different people as there are:
 *
 *     node scripts/mean-face-descriptor.ts <photo or folder>...
 *
 * What it prints goes to containers/inference/faces/embedding/mean-descriptor.ts, with where the photographs are from. Every face
 * counts once that is at least 24 pixels wide, seen within 60° and sure to be one. A new mean is a new vector space: the model's
 * version changes with it, and stored embeddings have to be computed anew.
 */
import { readFile } from 'node:fs/promises';
import { loadEmbeddedFaceEngine } from '../containers/inference/faces/embedded-face-engine.ts';
import { loadFaceApiEmbedder } from '../containers/inference/faces/embedding/face-api-embedder.ts';
import { ImagePyramid } from '../containers/inference/faces/images/image-pyramid.ts';
import { decodeImage } from '../containers/inference/images/decode-image.ts';
import { listPhotos } from './inference-report/list-photos.ts';

const FACE_SIZE_MIN = 24;
const YAW_MAX = 60;
const CONFIDENCE_MIN = 0.9;
const LIMITS = { side_min: 2, pixels_max: 100e6, enhanced_pixels_max: 0 };

async function* descriptorsOf(photos: readonly string[]): AsyncGenerator<Float32Array> {
  const engine = await loadEmbeddedFaceEngine('face-api-resnet-34');
  const embedder = await loadFaceApiEmbedder();
  for (const photo of photos) {
    const decoded = await decodeImage(await readFile(photo), LIMITS);
    if (!decoded.ok) throw new Error(`${photo}: ${decoded.error.message}`);
    const pyramid = new ImagePyramid(decoded.value);
    for (const { confidence, quality, landmarks } of await engine.analyze(decoded.value, 'none')) {
      if (confidence < CONFIDENCE_MIN || quality.face_size < FACE_SIZE_MIN || Math.abs(quality.yaw) > YAW_MAX) continue;
      const descriptor = await embedder.describe(pyramid, landmarks);
      if (descriptor !== null) yield descriptor;
    }
  }
}

const photos = (await Promise.all(process.argv.slice(2).map(listPhotos))).flat();
if (photos.length === 0) throw new Error('usage: node scripts/mean-face-descriptor.ts <photo or folder>...');
let faces = 0;
let sum: number[] = [];
for await (const descriptor of descriptorsOf(photos)) {
  sum = Array.from(descriptor, (value, i) => value + (sum[i] ?? 0));
  faces += 1;
}
console.error(`${faces} faces in ${photos.length} photographs`);
console.log(sum.map((total) => (total / faces).toFixed(6)).join(',\n'));
