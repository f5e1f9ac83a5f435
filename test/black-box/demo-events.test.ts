import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { freePort } from '../../scripts/local/port.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PHOTOS = join(ROOT, '..', 'shared', 'data', 'faces');

if (!existsSync(PHOTOS)) console.log(`skipped: no photographs in ${PHOTOS}`);

test.skipIf(!existsSync(PHOTOS))(
  'an event with two rooms and four cameras: everybody registered is matched as themselves, and rooms are counted right',
  { timeout: 400_000 },
  async () => {
    const env = { ...process.env, PORT: String(await freePort()) };
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/demo-events.ts'], { cwd: ROOT, env });
    const [, people = '0'] = /(\d+) people are registered/.exec(stdout) ?? [];
    expect(Number(people)).toBeGreaterThanOrEqual(10);
    const [, right = '0', wrong = ''] = /(\d+) frames right, (\d+) wrong/.exec(stdout) ?? [];
    expect([Number(right) > 3 * Number(people), wrong]).toEqual([true, '0']);
    // Whom a door did not see well enough has not passed it.
    const passed = (door: string) =>
      new Set([...stdout.matchAll(new RegExp(`right +(Person \\d+) +Lobby ${door}`, 'g'))].map(([, person]) => person));
    const entries = passed('entry').size;
    const exits = [...passed('exit')].filter((person) => passed('entry').has(person)).length;
    const lobby = /'Lobby' │ 5 +│ (\d+) +│ (\d+) +│ (\d+) +│ (\d+) /.exec(stdout)?.slice(1).map(Number);
    expect(lobby).toEqual([entries, exits, entries - exits, entries]);
    expect(stdout.slice(stdout.indexOf('Alerts'))).toMatch(/'Lobby' │ 5 +│ \d+ +│ '.+Z' │ '.+Z' │/);
  },
);
