import { join } from 'node:path';
import { PATHS } from '../local/paths.ts';
import type { LabelledFace } from './labelled-face.ts';
import { readLabels } from './read-labels.ts';

/** Photographs of groups beside the checkout, where there are any. */
export const SAMPLE_FOLDER = join(PATHS.root, '..', 'shared', 'data', 'faces');

/** Nobody has said who is on two of them: each photograph is a set of its own, in which everybody is somebody else. */
const SAMPLE_LABELS = join(import.meta.dirname, 'sample-photographs.csv');

/** Of a folder, or of the sample photographs; null where nothing is labelled. */
export function readLabelsOf(folder: string): readonly LabelledFace[] | null {
  return readLabels(folder) ?? (folder === SAMPLE_FOLDER ? readLabels(folder, SAMPLE_LABELS) : null);
}
