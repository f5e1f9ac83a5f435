import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';

const SCRIPT = path.resolve(import.meta.dirname, '../../scripts/inference-report.ts');
const TIMEOUT_MS = 60_000;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'inference-report-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const report = (...args: string[]) => promisify(execFile)(process.execPath, [SCRIPT, ...args], { cwd: folder });

it('the report has a row for every file, readable or not, and a contact sheet', { timeout: TIMEOUT_MS }, async () => {
  const photos = path.join(folder, 'photos');
  await mkdir(path.join(photos, 'more'), { recursive: true });
  const noise = await sharp({
    create: {
      width: 600,
      height: 400,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 90, sigma: 30 },
    },
  })
    .jpeg()
    .toBuffer();
  await writeFile(path.join(photos, 'more', 'a-wall.jpg'), noise);
  await writeFile(path.join(photos, 'cut-short.jpg'), noise.subarray(0, noise.length / 2));
  await writeFile(path.join(photos, 'notes.jpg'), 'no photograph at all');

  const { stdout } = await report(photos, '--out', 'sheet.png');
  const rows = stdout.split('\n');
  expect(rows[0]).toMatch(/^file +faces +face +bbox +confidence +blur +yaw +pitch +size +outcome$/);
  expect(rows.find((row) => row.startsWith('a-wall.jpg'))).toMatch(/ 0 +no face$/);
  expect(rows.find((row) => row.startsWith('cut-short.jpg'))).toMatch(/ - +error: .*cut short/);
  expect(rows.find((row) => row.startsWith('notes.jpg'))).toMatch(/ - +error: .*no JPEG, PNG or WebP/);
  expect(stdout).toContain('1 photographs, 0 faces, 0 stored, 0 rejected, 2 unreadable files');
  const sheet = await sharp(path.join(folder, 'sheet.png')).metadata();
  expect([sheet.format, sheet.width! > 1_000]).toEqual(['png', true]);
});

it('a folder that is not there is said to be missing', { timeout: TIMEOUT_MS }, async () => {
  await expect(report(path.join(folder, 'nowhere'))).rejects.toMatchObject({
    stderr: expect.stringContaining('nowhere'),
  });
});
