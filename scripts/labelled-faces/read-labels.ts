import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LabelledFace } from './labelled-face.ts';
import { parseCsv } from './parse-csv.ts';

const FACES_FILE = 'faces.csv';
const GROUPS_FILE = 'people.csv';
const IS_PHOTO = /\.(jpe?g|png|webp)$/i;

/**
 * Whose faces the photographs of a folder show, as a person has written it down:
 *
 * - `faces.csv` (or `labels`) with the columns `photo`, `x`, `y`, `person` and, where known, `group` and `set`;
 * - else a folder a person with their photographs, and beside them `people.csv` with the columns `person` and `group`, if there is one.
 *
 * @returns null where nothing is labelled
 */
export function readLabels(folder: string, labels: string | null = null): readonly LabelledFace[] | null {
  const file = labels ?? join(folder, FACES_FILE);
  if (existsSync(file)) return parseCsv(readFileSync(file, 'utf8'), file).map((row) => labelOf(folder, file, row));
  const people = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  if (people.length === 0) return null;
  const groups = groupsOf(join(folder, GROUPS_FILE));
  const faces = people.flatMap(({ name: person }) =>
    readdirSync(join(folder, person))
      .filter((name) => IS_PHOTO.test(name))
      .toSorted()
      .map((name) => ({
        photo: join(folder, person, name),
        at: null,
        person,
        group: groups.get(person) ?? '',
        set: '',
      })),
  );
  return faces.length === 0 ? null : faces;
}

function labelOf(folder: string, file: string, row: Readonly<Record<string, string>>): LabelledFace {
  const { photo = '', x = '', y = '', person = '', group = '', set = '' } = row;
  if (photo === '' || person === '') throw new Error(`${file}: a row has a photo and a person`);
  const at = x === '' && y === '' ? null : ([Number(x), Number(y)] as const);
  if (at !== null && !at.every(Number.isFinite)) throw new Error(`${file}: x and y of ${photo} are no pixels`);
  return { photo: join(folder, photo), at, person, group, set };
}

function groupsOf(file: string): ReadonlyMap<string, string> {
  if (!existsSync(file)) return new Map();
  return new Map(parseCsv(readFileSync(file, 'utf8'), file).map(({ person = '', group = '' }) => [person, group]));
}
