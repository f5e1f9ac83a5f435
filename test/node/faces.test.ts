import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FaceEngine, MeasuredFace, RgbImage } from '../../containers/inference/engine/engine.ts';
import { loadEmbeddedFaceEngine } from '../../containers/inference/faces/embedded-face-engine.ts';
import { EMBEDDERS, type FaceEmbedder } from '../../containers/inference/faces/embedding/face-embedder.ts';
import { loadFaceEmbedder } from '../../containers/inference/faces/embedding/load-face-embedder.ts';
import { ImagePyramid } from '../../containers/inference/faces/images/image-pyramid.ts';
import { fivePoints } from '../../containers/inference/faces/landmarks/five-points.ts';
import { loadLandmarkFinder } from '../../containers/inference/faces/landmarks/landmark-finder.ts';
import { areSteady } from '../../containers/inference/faces/landmarks/steady-landmarks.ts';
import { rollOf } from '../../containers/inference/faces/orientation/roll-of.ts';
import { decodeImage } from '../../containers/inference/images/decode-image.ts';
import { describeRejection, qualityRejection } from '../../domain/faces/face-quality.ts';
import { defaultMatchRule } from '../../domain/faces/match-rule.ts';

/** Photographs of test people, beside the checkout; they are no part of it. */
const FOLDER = path.resolve(import.meta.dirname, '../../../shared/data/faces');
const PHOTOS = existsSync(FOLDER)
  ? readdirSync(FOLDER)
      .filter((file) => /\.(jpe?g|png|webp)$/i.test(file))
      .toSorted()
  : [];
if (PHOTOS.length === 0) console.warn(`skipped, because there are no photographs in ${FOLDER}`);

const TIMEOUT_MS = 600_000;
const LIMITS = { side_min: 16, pixels_max: 40_000_000, enhanced_pixels_max: 0 };

/** Of the photographs that we know: how many faces they show, and, by a point on the nose, which look where; as seen by eye. */
const KNOWN: Readonly<Record<string, { faces: number; sharpFrontal: readonly Place[]; turned: readonly Place[] }>> = {
  'group-1.jpg': {
    faces: 3,
    sharpFrontal: [
      [465, 500],
      [905, 565],
      [1545, 345],
    ],
    turned: [],
  },
  'group-2.jpg': {
    faces: 3,
    sharpFrontal: [[1535, 310]],
    turned: [
      [375, 295],
      [990, 385],
    ],
  },
  'group-3.jpg': {
    faces: 3,
    sharpFrontal: [
      [672, 480],
      [1150, 385],
      [1610, 460],
    ],
    turned: [],
  },
  'group-4.jpg': {
    faces: 4,
    sharpFrontal: [
      [735, 200],
      [1035, 315],
      [1320, 270],
    ],
    turned: [],
  },
  'group-5.jpg': {
    faces: 5,
    sharpFrontal: [
      [455, 1050],
      [870, 240],
      [1180, 325],
    ],
    turned: [[715, 535]],
  },
  'group-6.jpg': {
    faces: 4,
    sharpFrontal: [
      [365, 645],
      [745, 510],
      [1265, 475],
      [1565, 430],
    ],
    turned: [],
  },
};
type Place = readonly [number, number];
/** Of the photographs that we know, how many faces have a vector at least in the position that they are turned to. */
const TURNED_AND_FOUND: Readonly<Record<string, number>> = { 'group-1.jpg': 1, 'group-6.jpg': 1 };

let engine: FaceEngine;
let embedder: FaceEmbedder;
const [DEFAULT, ...OTHERS] = EMBEDDERS;
beforeAll(async () => {
  engine = await loadEmbeddedFaceEngine(DEFAULT);
  embedder = await loadFaceEmbedder(DEFAULT);
}, TIMEOUT_MS);

/** As a photograph would come in: encoded, then decoded as the container does. */
async function photograph(change: (photo: Sharp) => Sharp, file: string): Promise<RgbImage> {
  const decoded = await decodeImage(await change(sharp(path.join(FOLDER, file)).autoOrient()).toBuffer(), LIMITS);
  if (!decoded.ok) throw new Error(decoded.error.message);
  return decoded.value;
}

const unchanged = (photo: Sharp) => photo.jpeg({ quality: 95 });

function faceAt(faces: readonly MeasuredFace[], [x, y]: Place): MeasuredFace | undefined {
  return faces.find(({ bbox: [x1, y1, x2, y2] }) => x1 < x && x < x2 && y1 < y && y < y2);
}

/** A face's embedding whatever its quality: at half the size, some faces are too small to be stored. */
async function embed(image: RgbImage, { landmarks }: MeasuredFace): Promise<Float32Array> {
  return (await embedder.embed(new ImagePyramid(image), landmarks))!;
}

/** Where a point of a picture that was turned clockwise about its middle lies in the picture as it was. */
function turnedBackTo([x, y]: Place, degrees: number, turned: RgbImage, image: RgbImage): Place {
  const angle = (-degrees * Math.PI) / 180;
  const [across, down] = [x - turned.width / 2, y - turned.height / 2];
  return [
    image.width / 2 + across * Math.cos(angle) - down * Math.sin(angle),
    image.height / 2 + across * Math.sin(angle) + down * Math.cos(angle),
  ];
}

function cosine(first: Float32Array, second: Float32Array): number {
  return first.reduce((sum, value, i) => sum + value * second[i]!, 0);
}

describe.skipIf(PHOTOS.length === 0)('on photographs', { timeout: TIMEOUT_MS }, () => {
  const faces = new Map<string, readonly MeasuredFace[]>();
  beforeAll(async () => {
    for (const file of PHOTOS) faces.set(file, await engine.analyze(await photograph(unchanged, file), 'qualified'));
  }, TIMEOUT_MS);
  /** The last photograph with a face in it, and its faces. */
  function photographOfSomeone(): [file: string, faces: readonly [MeasuredFace, ...MeasuredFace[]]] {
    for (const [file, [first, ...others]] of [...faces].toReversed())
      if (first !== undefined) return [file, [first, ...others]];
    throw new Error('no photograph shows a face');
  }
  const known = PHOTOS.filter((file) => file in KNOWN);

  it.each(known)('every sharp frontal face is found and may be stored: %s', (file) => {
    const found = faces.get(file)!;
    expect(found).toHaveLength(KNOWN[file]!.faces);
    for (const place of KNOWN[file]!.sharpFrontal) {
      const face = faceAt(found, place);
      expect(face, `the face at ${place}`).toBeDefined();
      const rejection = qualityRejection(face!.quality);
      expect(rejection === null ? 'stored' : describeRejection(rejection), `the face at ${place}`).toBe('stored');
      expect(Math.hypot(...face!.embedding!)).toBeCloseTo(1, 5);
      expect(Math.abs(rollOf(face!.landmarks)), `the roll of the face at ${place}`).toBeLessThan(Math.PI / 3);
    }
  });

  it.each(known.filter((file) => KNOWN[file]!.turned.length > 0))(
    'a face that is turned away is found and rejected: %s',
    (file) => {
      for (const place of KNOWN[file]!.turned) {
        const face = faceAt(faces.get(file)!, place);
        expect(face, `the face at ${place}`).toBeDefined();
        expect(qualityRejection(face!.quality)?.rule).toMatch(/^(yaw|pitch)$/);
        expect(face!.embedding).toBeNull();
      }
    },
  );

  it('boxes lie in the image on whole pixels, the largest face first, and measures are numbers', () => {
    for (const found of faces.values()) {
      const areas = found.map(({ bbox: [x1, y1, x2, y2] }) => (x2 - x1) * (y2 - y1));
      expect(areas).toEqual(areas.toSorted((first, second) => second - first));
      for (const { bbox, confidence, quality } of found) {
        expect(bbox.every((side) => Number.isInteger(side) && side >= 0)).toBe(true);
        expect(quality.face_size).toBe(Math.min(bbox[2] - bbox[0], bbox[3] - bbox[1]));
        for (const measure of [confidence, ...Object.values(quality)]) expect(Number.isFinite(measure)).toBe(true);
      }
    }
  });

  describe.each([
    [
      'scale 0.5',
      (photo: Sharp, width: number) => photo.resize({ width: Math.round(width / 2) }).jpeg({ quality: 95 }),
      { scale: 0.5, mirrored: false },
    ],
    ['JPEG quality 30', (photo: Sharp) => photo.jpeg({ quality: 30 }), { scale: 1, mirrored: false }],
    ['mirroring', (photo: Sharp) => photo.flop().jpeg({ quality: 95 }), { scale: 1, mirrored: true }],
  ] as const)('under %s', (_, change, { scale, mirrored }) => {
    it('the same person matches itself above every other person in the set', async () => {
      const people = [...faces.values()].flat().filter(({ embedding }) => embedding !== null);
      for (const file of PHOTOS) {
        const { width } = (await sharp(path.join(FOLDER, file)).metadata()).autoOrient;
        const image = await photograph((photo) => change(photo, width), file);
        const changed = await engine.analyze(image, 'none');
        for (const person of faces.get(file)!) {
          if (person.embedding === null) continue;
          const [x1, y1, x2, y2] = person.bbox;
          const x = ((x1 + x2) / 2) * scale;
          const match = faceAt(changed, [mirrored ? image.width - x : x, ((y1 + y2) / 2) * scale]);
          expect(match, `${file} ${person.bbox}`).toBeDefined();
          const embedding = await embed(image, match!);
          const own = cosine(embedding, person.embedding);
          const others = people.filter((other) => other !== person).map((other) => cosine(embedding, other.embedding!));
          expect(own).toBeGreaterThan(Math.max(...others));
          expect(own).toBeGreaterThan(defaultMatchRule(engine.model).matchFrom);
        }
      }
    });
  });

  /** Each photograph in one of these positions: all in all take minutes. */
  const ANGLES = [90, 180, 270, 45];
  describe('E-01: turned without EXIF', () => {
    it.each(PHOTOS.map((file, at) => [file, ANGLES[at % ANGLES.length]!] as const))(
      'a face that is kept is its own, and matches no stranger: %s by %i degrees',
      async (file, angle) => {
        const upright = await photograph(unchanged, file);
        const turned = await photograph(
          (photo) => photo.rotate(angle, { background: '#7a8a99' }).jpeg({ quality: 95 }),
          file,
        );
        const found = await engine.analyze(turned, 'qualified');
        const people = faces.get(file)!.filter(({ embedding }) => embedding !== null);
        const { matchFrom, reviewFrom } = defaultMatchRule(engine.model);
        for (const { bbox, embedding, quality } of found) {
          if (embedding === null) continue;
          expect(qualityRejection(quality)).toBeNull();
          const middle = turnedBackTo([(bbox[0] + bbox[2]) / 2, (bbox[1] + bbox[3]) / 2], angle, turned, upright);
          const own = faceAt(people, middle);
          if (own !== undefined) expect(cosine(embedding, own.embedding!)).toBeGreaterThanOrEqual(reviewFrom);
          for (const other of people)
            if (other !== own) expect(cosine(embedding, other.embedding!)).toBeLessThan(matchFrom);
          for (const other of found)
            if (other.embedding !== null && other.embedding !== embedding)
              expect(cosine(embedding, other.embedding)).toBeLessThan(matchFrom);
        }
        // Of some that are turned by a quarter the detector finds nobody.
        if (file in TURNED_AND_FOUND)
          expect(found.filter(({ embedding }) => embedding !== null).length).toBeGreaterThanOrEqual(
            TURNED_AND_FOUND[file]!,
          );
      },
    );
  });

  it('E-01: landmarks that were placed in a turned view are those of the face, or do not stay where they are', async () => {
    const finder = await loadLandmarkFinder();
    let unsteady = 0;
    for (const [file, found] of faces) {
      const own = found.find(({ embedding }) => embedding !== null);
      if (own === undefined) continue;
      const image = await photograph(unchanged, file);
      const pyramid = new ImagePyramid(image);
      const placedAt = async (angle: number) => fivePoints(await finder.find(pyramid, own.bbox, angle));
      for (const degrees of [30, 90, 120, 240, 270, 330]) {
        const points = await placedAt((degrees * Math.PI) / 180);
        // On their head they may stay, and the detector sees that they stand on it.
        const isOnItsHead = Math.cos(rollOf(points) - rollOf(own.landmarks)) < 0;
        if (isOnItsHead) continue;
        if (!(await areSteady(points, placedAt))) unsteady += 1;
        else {
          const similarity = cosine((await embedder.embed(pyramid, points))!, own.embedding!);
          expect(similarity, `${file} by ${degrees}`).toBeGreaterThan(defaultMatchRule(engine.model).reviewFrom);
        }
      }
    }
    if (known.length > 0) expect(unsteady).toBeGreaterThan(0);
  });

  /** One face an angle, cut out with half of its box around it. */
  describe('E-01: one face turned without EXIF', () => {
    const ANGLES_OF_ONE = Array.from({ length: 23 }, (_, at) => 15 * (at + 1));
    it.each(ANGLES_OF_ONE)('by %i degrees has a vector of its own or none, and matches no stranger', async (angle) => {
      const people = [...faces].flatMap(([file, found]) =>
        found.flatMap((face) => (face.embedding === null ? [] : [{ file, face }])),
      );
      const { file, face } = people[(angle / 15) % people.length]!;
      const { width, height } = (await sharp(path.join(FOLDER, file)).metadata()).autoOrient;
      const [x1, y1, x2, y2] = face.bbox;
      const [marginX, marginY] = [Math.round((x2 - x1) / 2), Math.round((y2 - y1) / 2)];
      const [left, top] = [Math.max(0, x1 - marginX), Math.max(0, y1 - marginY)];
      const portrait = await sharp(path.join(FOLDER, file))
        .autoOrient()
        .extract({
          left,
          top,
          width: Math.min(width, x2 + marginX) - left,
          height: Math.min(height, y2 + marginY) - top,
        })
        .png()
        .toBuffer();
      const turned = await photograph(
        () => sharp(portrait).rotate(angle, { background: '#7a8a99' }).jpeg({ quality: 95 }),
        file,
      );
      const { matchFrom, reviewFrom } = defaultMatchRule(engine.model);
      for (const { embedding } of await engine.analyze(turned, 'qualified')) {
        if (embedding === null) continue;
        const [own, ...others] = people
          .filter((person) => person.file === file)
          .map((person) => cosine(embedding, person.face.embedding!))
          .toSorted((a, b) => b - a);
        expect(own, file).toBeGreaterThanOrEqual(reviewFrom);
        for (const other of others) expect(other, file).toBeLessThan(matchFrom);
      }
    });
  });

  it('nobody in a photograph is taken for somebody else in it', () => {
    for (const [file, found] of faces) {
      const people = found.filter(({ embedding }) => embedding !== null);
      for (const [at, one] of people.entries())
        for (const other of people.slice(at + 1))
          expect(cosine(one.embedding!, other.embedding!), file).toBeLessThan(defaultMatchRule(engine.model).matchFrom);
    }
  });

  it('what is out of focus is found, and rejected as blurred', async () => {
    const [file, [face]] = photographOfSomeone();
    const sigma = face.quality.face_size / 25;
    const blurred = await engine.analyze(await photograph((photo) => photo.blur(sigma).jpeg(), file), 'qualified');
    expect(blurred.length).toBeGreaterThan(0);
    for (const { quality, embedding } of blurred) {
      expect(quality.blur).toBeGreaterThan(0.5);
      expect(embedding).toBeNull();
    }
  });

  it('only the largest face gets an embedding when that is asked for, and none when none is', async () => {
    const [file] = photographOfSomeone();
    const image = await photograph(unchanged, file);
    const largest = await engine.analyze(image, 'largest');
    expect(largest.map(({ embedding }) => embedding !== null)).toEqual(largest.map((_face, rank) => rank === 0));
    expect((await engine.analyze(image, 'none')).every(({ embedding }) => embedding === null)).toBe(true);
  });

  it('a face that fills its photograph, and one of 60 pixels beside much else, are found', async () => {
    const [file, [face]] = photographOfSomeone();
    const [x1, y1, x2, y2] = face.bbox;
    const cut = (photo: Sharp) => photo.extract({ left: x1, top: y1, width: x2 - x1, height: y2 - y1 });
    const close = await photograph((photo) => cut(photo).resize(1_200).jpeg(), file);
    expect(await engine.analyze(close, 'none')).toHaveLength(1);

    const context = (x2 - x1) / 2;
    const small = await sharp(path.join(FOLDER, file))
      .autoOrient()
      .extract({
        left: Math.max(0, x1 - context),
        top: Math.max(0, y1 - context),
        width: Math.round(2 * context + x2 - x1),
        height: Math.round(2 * context + y2 - y1),
      })
      .resize({ width: 120 })
      .png()
      .toBuffer();
    const wide = await photograph(
      () =>
        sharp({ create: { width: 4_000, height: 3_000, channels: 3, background: '#7a8a99' } })
          .composite([{ input: small, left: 2_700, top: 1_900 }])
          .jpeg(),
      file,
    );
    expect(await engine.analyze(wide, 'none')).toHaveLength(1);
  });
});

describe('an embedding of another choice', { timeout: TIMEOUT_MS }, () => {
  it.each(OTHERS)('makes vectors of a space of its own: %s', async (name) => {
    const { model } = await loadEmbeddedFaceEngine(name);
    expect(model.name).toBe(name);
    expect([model.name, model.version]).not.toEqual([engine.model.name, engine.model.version]);
  });
});

describe('where there is no face', { timeout: TIMEOUT_MS }, () => {
  it.each([
    ['in a flat image', 128, 0],
    ['in noise', 128, 60],
  ])('none is found %s', async (_, mean, sigma) => {
    const data = await sharp({
      create: {
        width: 400,
        height: 300,
        channels: 3,
        noise: { type: 'gaussian', mean, sigma: sigma || 1e-3 },
        background: '#000',
      },
    })
      .raw()
      .toBuffer();
    expect(await engine.analyze({ width: 400, height: 300, data }, 'qualified')).toEqual([]);
  });
});
