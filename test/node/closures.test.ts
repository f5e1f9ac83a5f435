import { expect, it } from 'vitest';
import { closureOf } from '../../scripts/closures/closure-of.ts';
import { closureProblems } from '../../scripts/closures/closure-problems.ts';
import { imageOf, isCopied } from '../../scripts/closures/image.ts';
import { importsIn } from '../../scripts/closures/imports-in.ts';

const DOCKERFILE = `FROM node:24-slim
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts \\
  && npm cache clean --force
COPY domain ./domain
COPY containers/signer ./containers/signer
CMD ["node", "containers/signer/main.ts"]
`;

const SOURCES: Readonly<Record<string, string>> = {
  'containers/signer/main.ts':
    "import { sign } from '../../domain/sign.ts';\nimport { readFileSync } from 'node:fs';\n",
  'containers/signer/Dockerfile': DOCKERFILE,
  'domain/sign.ts': "import { keccak256 } from 'viem';\nexport const sign = keccak256;\n",
};

function problems(changed: Record<string, string>, production: readonly string[] = ['viem']): string[] {
  const sources: Readonly<Record<string, string>> = { ...SOURCES, ...changed };
  return closureProblems({
    workers: [],
    containers: ['containers/signer/main.ts'],
    dockerfiles: ['containers/signer/Dockerfile'],
    production: new Set(production),
    read: (path) => sources[path] ?? null,
  });
}

it.each([
  ["import { a } from 'x';", 'x'],
  ["import a, * as b from 'x';", 'x'],
  ["import {\n  a,\n  type B,\n} from 'x';", 'x'],
  ["import { type A } from 'x';", 'x'],
  ["import 'x';", 'x'],
  ["export * from 'x';", 'x'],
  ["export { a } from 'x';", 'x'],
  ["const { a } = await import('x');", 'x'],
  ["const path = require.resolve('x/package.json');", 'x/package.json'],
  ["const path = import.meta.resolve('x');", 'x'],
  ["const path = new URL('./x.wasm', import.meta.url);", './x.wasm'],
])('%s loads a module', (source, specifier) => {
  expect(importsIn(source)).toEqual([specifier]);
});

it.each([
  "import type { A } from 'x';",
  "export type { A } from 'x';",
  "// import { a } from 'x';",
  "/**\n * import { a } from 'x';\n */",
])('%s loads nothing', (source) => {
  expect(importsIn(source)).toEqual([]);
});

it('follows imports from file to file and names the first file that wants a package', () => {
  const { files, packages } = closureOf('containers/signer/main.ts', (path) => SOURCES[path] ?? null);
  expect([...files]).toEqual(['containers/signer/main.ts', 'domain/sign.ts']);
  expect([...packages]).toEqual([['viem', 'domain/sign.ts']]);
});

it('finds nothing to say where all is there', () => {
  expect(problems({})).toEqual([]);
});

it('names a package that a container loads and an installation for production leaves out', () => {
  expect(problems({}, [])).toEqual([
    'containers/signer/main.ts loads viem (domain/sign.ts), which is not in "dependencies" of package.json',
  ]);
});

it('names a file that an image does not copy', () => {
  const Dockerfile = DOCKERFILE.replace('COPY domain ./domain\n', '');
  expect(problems({ 'containers/signer/Dockerfile': Dockerfile })).toEqual([
    'containers/signer/Dockerfile does not copy domain/sign.ts',
  ]);
});

it('names an image that installs no packages and whose process loads some', () => {
  const Dockerfile = DOCKERFILE.replace(/RUN[^\n]*\n[^\n]*\n/, '');
  expect(problems({ 'containers/signer/Dockerfile': Dockerfile })).toEqual([
    'containers/signer/Dockerfile installs no packages, and containers/signer/main.ts loads viem',
  ]);
});

it('names an image that starts something else', () => {
  const Dockerfile = DOCKERFILE.replace('CMD ["node", "containers/signer/main.ts"]', 'CMD ["node", "domain/sign.ts"]');
  expect(problems({ 'containers/signer/Dockerfile': Dockerfile })).toEqual([
    'containers/signer/Dockerfile starts domain/sign.ts, not containers/signer/main.ts',
  ]);
});

it('counts what a script loads that an image runs while it is built', () => {
  const Dockerfile = DOCKERFILE.replace('CMD', 'RUN node scripts/build.ts && mkdir /memory\nCMD');
  const build = "import '../protocol/wire.ts';";
  expect(
    problems({ 'containers/signer/Dockerfile': Dockerfile, 'scripts/build.ts': build, 'protocol/wire.ts': '' }),
  ).toEqual([
    'containers/signer/Dockerfile does not copy scripts/build.ts',
    'containers/signer/Dockerfile does not copy protocol/wire.ts',
  ]);
});

it('counts no copy from another stage, and no folder whose name only begins alike', () => {
  const image = imageOf('COPY --from=packages /app ./\nCOPY ./domain/ ./domain\n');
  expect(image.copied).toEqual(['domain']);
  expect(isCopied(image, 'domain/a.ts')).toBe(true);
  expect(isCopied(image, 'domain-of-others/a.ts')).toBe(false);
});
