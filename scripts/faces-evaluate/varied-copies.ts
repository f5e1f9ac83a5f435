import sharp from 'sharp';

/** How else a camera may have taken a photograph, in the same instant. */
export const COPIES: readonly {
  readonly vary: (photo: Uint8Array) => Promise<Uint8Array>;
  /** Where a point of the upright photograph is in the copy. */
  readonly moved: (point: readonly [number, number], width: number) => readonly [number, number];
}[] = [
  {
    vary: async (photo) => {
      const { width } = (await sharp(photo).metadata()).autoOrient;
      const half = sharp(photo)
        .autoOrient()
        .resize({ width: Math.round(width / 2) });
      return half.jpeg({ quality: 92 }).toBuffer();
    },
    moved: ([x, y]) => [x / 2, y / 2],
  },
  { vary: (photo) => sharp(photo).autoOrient().jpeg({ quality: 30 }).toBuffer(), moved: (point) => point },
  {
    vary: (photo) => sharp(photo).autoOrient().flop().jpeg({ quality: 92 }).toBuffer(),
    moved: ([x, y], width) => [width - x, y],
  },
];
