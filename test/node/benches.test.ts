import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const benches = Object.entries(scripts).filter(([name]) => name.startsWith('bench:') && name !== 'bench:all');

it.each(benches)('%s takes --smoke, so that a short run shows whether it works', (_, command) => {
  const file = command.split(' ').at(-1) ?? '';
  expect(readFileSync(file, 'utf8')).toMatch(/import \{[^}]*\bsized\b[^}]*\} from '\.\/smoke\.ts'/);
});
