import type { Box } from '../../../../domain/faces/face-quality.ts';
import type { Point, RgbImage } from '../../engine/engine.ts';

/** Quarter turns clockwise. */
export type Quarter = 0 | 1 | 2 | 3;

/** The image turned back by quarter turns: what stood turned clockwise by so many stands upright in it. */
export function turnedBack({ width, height, data }: RgbImage, quarter: Quarter): RgbImage {
  const [turnedWidth, turnedHeight] = quarter % 2 === 0 ? [width, height] : [height, width];
  const turned = new Uint8Array(data.length);
  let to = 0;
  for (let y = 0; y < turnedHeight; y += 1)
    for (let x = 0; x < turnedWidth; x += 1, to += 3) {
      const [column, row] = inImage([x + 0.5, y + 0.5], quarter, { width, height });
      const from = (Math.floor(row) * width + Math.floor(column)) * 3;
      turned[to] = data[from]!;
      turned[to + 1] = data[from + 1]!;
      turned[to + 2] = data[from + 2]!;
    }
  return { width: turnedWidth, height: turnedHeight, data: turned };
}

type Size = Pick<RgbImage, 'width' | 'height'>;

/** Where a point of the turned image lies in the image itself. */
export function inImage([x, y]: Point, quarter: Quarter, { width, height }: Size): Point {
  switch (quarter) {
    case 0:
      return [x, y];
    case 1:
      return [width - y, x];
    case 2:
      return [width - x, height - y];
    case 3:
      return [y, height - x];
  }
}

export function boxInImage([x1, y1, x2, y2]: Box, quarter: Quarter, size: Size): Box {
  const [ax, ay] = inImage([x1, y1], quarter, size);
  const [bx, by] = inImage([x2, y2], quarter, size);
  return [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)];
}
