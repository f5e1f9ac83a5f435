import sharp from 'sharp';
import type { RgbImage } from '../../containers/inference/engine/engine.ts';

/** A photograph is drawn as large as fits, in pixels. */
export const THUMBNAIL = { width: 640, height: 560 } as const;

/** How many pixels of the thumbnail one of the photograph takes. */
export function thumbnailScale({ width, height }: { width: number; height: number }): number {
  return Math.min(THUMBNAIL.width / width, THUMBNAIL.height / height);
}

export function drawThumbnail({ width, height, data }: RgbImage): Promise<Buffer> {
  const scale = thumbnailScale({ width, height });
  return sharp(data, { raw: { width, height, channels: 3 } })
    .resize(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)), { fit: 'fill' })
    .png()
    .toBuffer();
}
