import { readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import type { FaceEngine } from '../../containers/inference/engine/engine.ts';
import { decodeImage, type ImageLimits } from '../../containers/inference/images/decode-image.ts';
import type { PhotoReport } from './photo-report.ts';
import { drawThumbnail } from './thumbnail.ts';

/** Reads, decodes and analyzes one file; a file that is no photograph becomes a report that says so. */
export async function reportPhoto(engine: FaceEngine, limits: ImageLimits, file: string): Promise<PhotoReport> {
  const started = performance.now();
  try {
    const decoded = await decodeImage(await readFile(file), limits);
    if (!decoded.ok) return { file, error: decoded.error.message };
    const faces = await engine.analyze(decoded.value, 'none');
    const ms = performance.now() - started;
    const { width, height } = decoded.value;
    return { file, width, height, faces, thumbnail: await drawThumbnail(decoded.value), ms };
  } catch (error) {
    return { file, error: error instanceof Error ? error.message : String(error) };
  }
}
