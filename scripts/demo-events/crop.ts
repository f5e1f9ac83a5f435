import sharp from 'sharp';
import type { Box } from '../../domain/faces/face-quality.ts';

const JPEG_QUALITY = 92;

/**
 * Cuts a face out of its photograph with as much around it as fits without its neighbours' faces: at most `margin` of the face's size
 * on each side.
 */
export async function cropFace(
  photo: Uint8Array,
  face: Box,
  others: readonly Box[],
  margin: number,
): Promise<Uint8Array> {
  const upright = await sharp(photo).rotate().toBuffer({ resolveWithObject: true });
  const { width, height } = upright.info;
  const area = areaAround(face, others, margin, { width, height });
  return sharp(upright.data).extract(area).jpeg({ quality: JPEG_QUALITY }).toBuffer();
}

function areaAround(face: Box, others: readonly Box[], margin: number, size: { width: number; height: number }) {
  const [x1, y1, x2, y2] = face;
  for (let share = margin; ; share -= 0.05) {
    const dx = Math.max(share, 0) * (x2 - x1);
    const dy = Math.max(share, 0) * (y2 - y1);
    const left = Math.max(0, Math.round(x1 - dx));
    const top = Math.max(0, Math.round(y1 - dy));
    const right = Math.min(size.width, Math.round(x2 + dx));
    const bottom = Math.min(size.height, Math.round(y2 + dy));
    const meets = others.some(([ox1, oy1, ox2, oy2]) => {
      // Half of a neighbour's face may show at the edge: too little to be found as one.
      const halfWidth = (ox2 - ox1) / 2;
      const [cx, cy] = [ox1 + halfWidth, (oy1 + oy2) / 2];
      return cx > left - halfWidth / 2 && cx < right + halfWidth / 2 && cy > top && cy < bottom;
    });
    if (!meets || share <= 0.1) return { left, top, width: right - left, height: bottom - top };
  }
}

/** How a camera may see the person of a photograph again. */
export const VARIANTS: Readonly<Record<string, (jpeg: Uint8Array) => Promise<Uint8Array>>> = {
  'as registered': async (jpeg) => jpeg,
  'cut closer': async (jpeg) => {
    const { width = 0, height = 0 } = await sharp(jpeg).metadata();
    const [dx, dy] = [Math.floor(width / 14), Math.floor(height / 14)];
    const area = { left: dx, top: dy, width: width - 2 * dx, height: height - 2 * dy };
    return sharp(jpeg).extract(area).jpeg({ quality: JPEG_QUALITY }).toBuffer();
  },
  'scaled to a half': async (jpeg) => {
    const { width = 0 } = await sharp(jpeg).metadata();
    return sharp(jpeg)
      .resize({ width: Math.round(width / 2) })
      .jpeg({ quality: JPEG_QUALITY })
      .toBuffer();
  },
  'JPEG quality 30': (jpeg) => sharp(jpeg).jpeg({ quality: 30 }).toBuffer(),
  mirrored: (jpeg) => sharp(jpeg).flop().jpeg({ quality: JPEG_QUALITY }).toBuffer(),
};
