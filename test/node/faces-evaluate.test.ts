import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comparisonsOf, type Sample } from '../../scripts/faces-evaluate/comparison.ts';
import { detPlot } from '../../scripts/faces-evaluate/det-plot.ts';
import { errorRates, upperBound } from '../../scripts/faces-evaluate/error-rates.ts';
import { readLabels } from '../../scripts/labelled-faces/read-labels.ts';
import { SAMPLE_FOLDER } from '../../scripts/labelled-faces/sample-photographs.ts';

const SCRIPT = path.resolve(import.meta.dirname, '../../scripts/faces-evaluate.ts');
const HAS_SAMPLES = existsSync(SAMPLE_FOLDER);
if (!HAS_SAMPLES) console.warn(`skipped, because there are no photographs in ${SAMPLE_FOLDER}`);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'faces-evaluate-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const sample = (person: string, group: string, angle: number, terms: Partial<Sample> = {}): Sample => ({
  person,
  group,
  set: '',
  embedding: Float32Array.of(Math.cos(angle), Math.sin(angle)),
  copyOf: null,
  ...terms,
});

describe('comparisons', () => {
  it('are all pairs of photographs, of a group where both are', () => {
    const made = comparisonsOf([
      sample('ana', 'a', 0),
      sample('ana', 'a', 0.1),
      sample('bo', 'a', 1),
      sample('cy', 'b', 2),
    ]);
    expect(made).toHaveLength(6);
    expect(made.filter(({ isSame }) => isSame)).toMatchObject([
      { group: 'a', score: expect.closeTo(Math.cos(0.1), 5) },
    ]);
    expect(made.filter(({ group }) => group === null)).toHaveLength(3);
  });

  it('leave out people of two sets, who may be the same, and compare a copy with its photograph alone', () => {
    const made = comparisonsOf([
      sample('ana', '', 0, { set: 'one' }),
      sample('ana', '', 0.2, { set: 'one', copyOf: 0 }),
      sample('bo', '', 1, { set: 'one' }),
      sample('somebody', '', 0, { set: 'two' }),
    ]);
    expect(made.map(({ isSame }) => isSame)).toEqual([true, false]);
  });
});

describe('error rates', () => {
  const comparisons = [
    { isSame: true, group: 'a', score: 0.9 },
    { isSame: true, group: 'a', score: 0.5 },
    { isSame: false, group: 'a', score: 0.6 },
    { isSame: false, group: 'a', score: 0.1 },
    { isSame: false, group: 'a', score: 0.2 },
  ];

  it('count different people from the threshold on, and one person below it', () => {
    expect(errorRates(comparisons, 0.6)).toEqual({
      falseMatch: { wrong: 1, of: 3 },
      falseNonMatch: { wrong: 1, of: 2 },
    });
    expect(errorRates(comparisons, 0.61)).toMatchObject({ falseMatch: { wrong: 0 } });
  });

  it('of few pairs may be much higher than what was seen', () => {
    expect(upperBound({ wrong: 0, of: 18 })).toBeCloseTo(0.176, 3);
    expect(upperBound({ wrong: 0, of: 10_000 })).toBeLessThan(0.0004);
    expect(upperBound({ wrong: 0, of: 0 })).toBe(1);
  });

  it('are drawn as a line a group', () => {
    const svg = detPlot('a <model>', [{ name: 'group & more', comparisons }]);
    expect(svg).toContain('a &lt;model>');
    expect(svg).toContain('group &amp; more');
    expect(svg.match(/<polyline points="([^"]+)"/)?.[1]?.split(' ')).toHaveLength(5);
  });
});

describe('labels', () => {
  it('are folders a person, with the group of each beside them', async () => {
    const people = path.join(folder, 'people');
    for (const person of ['ana', 'bo']) await mkdir(path.join(people, person), { recursive: true });
    await writeFile(path.join(people, 'ana', '1.jpg'), '');
    await writeFile(path.join(people, 'bo', '1.png'), '');
    await writeFile(path.join(people, 'bo', 'notes.txt'), '');
    await writeFile(path.join(people, 'people.csv'), 'person,group\nana,first\n');
    expect(readLabels(people)).toEqual([
      { photo: path.join(people, 'ana', '1.jpg'), at: null, person: 'ana', group: 'first', set: '' },
      { photo: path.join(people, 'bo', '1.png'), at: null, person: 'bo', group: '', set: '' },
    ]);
  });

  it('are points in photographs, and a row that is none is refused', async () => {
    const photos = path.join(folder, 'photos');
    await mkdir(photos);
    const write = (row: string) => writeFile(path.join(photos, 'faces.csv'), `photo,x,y,person,group,set\n${row}\n`);
    await write('door.jpg,10,20,ana,first,monday');
    expect(readLabels(photos)).toEqual([
      { photo: path.join(photos, 'door.jpg'), at: [10, 20], person: 'ana', group: 'first', set: 'monday' },
    ]);
    for (const row of ['door.jpg,10,20,ana', 'door.jpg,left,20,ana,,', 'door.jpg,1,2,,,']) {
      await write(row);
      expect(() => readLabels(photos)).toThrow('faces.csv');
    }
  });

  it('are nothing where nobody has written any', async () => {
    const unlabelled = path.join(folder, 'unlabelled');
    await mkdir(unlabelled);
    await writeFile(path.join(unlabelled, 'a.jpg'), '');
    expect(readLabels(unlabelled)).toBeNull();
  });
});

describe.skipIf(!HAS_SAMPLES)('on photographs', { timeout: 400_000 }, () => {
  const evaluate = (...args: string[]) => promisify(execFile)(process.execPath, [SCRIPT, ...args], { cwd: folder });

  it('prints rates of each group at each threshold, and writes a plot', async () => {
    const photos = path.join(folder, 'grouped');
    await mkdir(photos);
    for (const photo of ['group-3.jpg', 'group-6.jpg'])
      await cp(path.join(SAMPLE_FOLDER, photo), path.join(photos, photo));
    await writeFile(
      path.join(photos, 'faces.csv'),
      [
        'photo,x,y,person,group,set',
        'group-3.jpg,672,480,ana,first,three',
        'group-3.jpg,1150,385,bo,first,three',
        'group-6.jpg,365,645,cy,second,six',
        'group-6.jpg,745,510,di,second,six',
        'group-6.jpg,5,5,nobody,second,six',
      ].join('\n'),
    );
    const { stdout } = await evaluate(photos, '--copies', '--det', 'det.svg');
    expect(stdout).toContain(
      '5 labelled faces, 1 not found, 0 rejected for their quality, 4 compared; model mobilefacenet',
    );
    expect(stdout).toMatch(/^first$/m);
    expect(stdout).toMatch(/^second$/m);
    // Of each group one pair of different people, and three copies of each of two, of which one may be too small.
    const row = /│ 0\.6 +│ '0\.0 % \(0 of 1, up to 79\.3 %\)' +│ '0\.0 % \(0 of [456], /g;
    expect(stdout.match(row), stdout).toHaveLength(2);
    expect(await readFile(path.join(folder, 'det.svg'), 'utf8')).toContain('<polyline');
  });

  it('refuses photographs that nobody has labelled', async () => {
    const unlabelled = path.join(folder, 'nobody');
    await mkdir(unlabelled);
    await expect(evaluate(unlabelled)).rejects.toThrow('labelled');
  });
});
