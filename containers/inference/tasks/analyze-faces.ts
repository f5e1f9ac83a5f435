import type { EmbeddingChoice, FaceAnalysis } from '../../../protocol/inference/wire.ts';
import type { FaceEngine, RgbImage } from '../engine/engine.ts';

/** Every face of a photo, with vectors for those that `embed` asks for. */
export async function analyzeFaces(engine: FaceEngine, image: RgbImage, embed: EmbeddingChoice): Promise<FaceAnalysis> {
  const faces = await engine.analyze(image, embed);
  return {
    model: engine.model,
    image: { width: image.width, height: image.height },
    faces: faces.map(({ bbox, confidence, quality, embedding }) => ({
      bbox,
      confidence,
      quality,
      embedding: embedding && littleEndian(embedding),
    })),
  };
}

/** Base64 of float32, the least significant byte first whatever the machine's own order. */
function littleEndian(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * Float32Array.BYTES_PER_ELEMENT);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * Float32Array.BYTES_PER_ELEMENT);
  return bytes.toString('base64');
}
