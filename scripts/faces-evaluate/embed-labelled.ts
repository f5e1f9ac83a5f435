import { readFile } from 'node:fs/promises';
import type { FaceEngine, MeasuredFace } from '../../containers/inference/engine/engine.ts';
import { decodeImage, type ImageLimits } from '../../containers/inference/images/decode-image.ts';
import { qualityRejection } from '../../domain/faces/face-quality.ts';
import type { LabelledFace } from '../labelled-faces/labelled-face.ts';
import type { Sample } from './comparison.ts';
import { COPIES } from './varied-copies.ts';

export interface EmbeddedFaces {
  readonly samples: readonly Sample[];
  /** Labelled faces that were not found, and that the quality rules reject: they are compared with nobody. */
  readonly notFound: number;
  readonly rejected: number;
}

/** Embeds every labelled face that passes the quality rules, as the service would, and with it its copies where they are asked for. */
export async function embedLabelled(
  engine: FaceEngine,
  limits: ImageLimits,
  labels: readonly LabelledFace[],
  { copies }: { readonly copies: boolean },
): Promise<EmbeddedFaces> {
  const samples: Sample[] = [];
  let [notFound, rejected] = [0, 0];
  for (const [file, labelled] of Map.groupBy(labels, ({ photo }) => photo)) {
    const photo = await readFile(file);
    const found = await facesOf(engine, limits, photo, file);
    for (const { at, person, group, set } of labelled) {
      const face = faceAt(found.faces, at);
      if (face === undefined) notFound += 1;
      else if (face.embedding === null) rejected += 1;
      else samples.push({ person, group, set, embedding: face.embedding, copyOf: null });
    }
    if (!copies) continue;
    const first = samples.findLastIndex(({ copyOf }) => copyOf !== null) + 1;
    const originals = samples.slice(first).map((sample, at) => ({ sample, index: first + at }));
    const placed = labelled
      .map(({ at }) => faceAt(found.faces, at))
      .filter((face): face is MeasuredFace => face !== undefined && face.embedding !== null);
    for (const { vary, moved } of COPIES) {
      const again = await facesOf(engine, limits, await vary(photo), file);
      for (const [at, { sample, index }] of originals.entries()) {
        const embedding = faceAt(again.faces, moved(centreOf(placed[at]!), found.width))?.embedding;
        if (embedding != null) samples.push({ ...sample, embedding, copyOf: index });
      }
    }
  }
  return { samples, notFound, rejected };
}

async function facesOf(engine: FaceEngine, limits: ImageLimits, photo: Uint8Array, file: string) {
  const decoded = await decodeImage(photo, limits);
  if (!decoded.ok) throw new Error(`${file}: ${decoded.error.message}`);
  const faces = await engine.analyze(decoded.value, 'qualified');
  return { width: decoded.value.width, faces: faces.map(qualified) };
}

/** Only the embedding counts that the service would store. */
function qualified(face: MeasuredFace): MeasuredFace {
  return qualityRejection(face.quality) === null ? face : { ...face, embedding: null };
}

function faceAt(faces: readonly MeasuredFace[], at: readonly [number, number] | null): MeasuredFace | undefined {
  if (at === null) return faces[0];
  const [x, y] = at;
  return faces.find(({ bbox: [x1, y1, x2, y2] }) => x1 < x && x < x2 && y1 < y && y < y2);
}

function centreOf({ bbox: [x1, y1, x2, y2] }: MeasuredFace): [number, number] {
  return [(x1 + x2) / 2, (y1 + y2) / 2];
}
