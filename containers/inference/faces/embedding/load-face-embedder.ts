import { loadFaceApiEmbedder } from './face-api-embedder.ts';
import type { EmbedderName, FaceEmbedder } from './face-embedder.ts';
import { loadMobileFaceNetEmbedder } from './mobile-face-net-embedder.ts';

export function loadFaceEmbedder(name: EmbedderName): Promise<FaceEmbedder> {
  switch (name) {
    case 'mobilefacenet':
      return loadMobileFaceNetEmbedder();
    case 'face-api-resnet-34':
      return loadFaceApiEmbedder();
  }
}
