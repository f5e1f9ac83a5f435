import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { readModelsFile } from '../../containers/inference/production/models-file.ts';
import { pullModels } from '../../scripts/models/pull-models.ts';
import { RECOMMENDED_MODELS, type RecommendedModel } from '../../scripts/models/recommended-models.ts';

const CONTENT = Buffer.from('what a model is made of '.repeat(1_000));
const HASH = createHash('sha256').update(CONTENT).digest('hex');

let server: Server;
let origin: string;
/** Range headers that came. */
let ranges: (string | undefined)[];
let folder: string;
let said: string[];

beforeAll(async () => {
  server = createServer((request, response) => {
    ranges.push(request.headers.range);
    if (request.url === '/missing') return response.writeHead(404).end();
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    response.writeHead(from > 0 ? 206 : 200).end(CONTENT.subarray(from));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'models-'));
  ranges = [];
  said = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

function model(change: { sha256?: string | null; licence?: string; url?: string } = {}): RecommendedModel {
  return {
    slot: 'faceEmbedding',
    description: {
      name: 'test-embedding',
      licence: change.licence ?? 'MIT',
      commercialUse: true,
      source: 'https://models.example',
      input: { width: 112, height: 112 },
      dimensions: 16,
    },
    files: [
      {
        path: 'faces/embedding.onnx',
        url: change.url ?? `${origin}/model`,
        sha256: change.sha256 === undefined ? HASH : change.sha256,
      },
    ],
  };
}

const pull = (models: readonly RecommendedModel[], allowNonCommercial = false) =>
  pullModels(models, { folder, allowNonCommercial, say: (line) => said.push(line) });
const file = () => join(folder, 'faces', 'embedding.onnx');

it('a model is fetched, verified and described as the production engine reads it, with its licence told', async () => {
  expect(await pull([model()])).toMatchObject({ installed: ['test-embedding'] });
  expect(readFileSync(file())).toEqual(CONTENT);
  expect(readModelsFile(folder)).toMatchObject({ slots: { faceEmbedding: { sha256: HASH } }, problems: [] });
  expect(said.join('\n')).toContain('MIT');
});

it('a second run fetches nothing that is there', async () => {
  await pull([model()]);
  await pull([model()]);
  expect(ranges).toHaveLength(1);
});

it('a download that was cut off goes on where it stopped', async () => {
  mkdirSync(join(folder, 'faces'));
  writeFileSync(`${file()}.part`, CONTENT.subarray(0, 5_000));
  await pull([model()]);
  expect(ranges).toEqual(['bytes=5000-']);
  expect(readFileSync(file())).toEqual(CONTENT);
});

it('a file with another hash is not kept, nor described', async () => {
  await expect(pull([model({ sha256: '0'.repeat(64) })])).rejects.toThrow(HASH);
  expect(existsSync(file()) || existsSync(`${file()}.part`)).toBe(false);
  expect(existsSync(join(folder, 'models.json'))).toBe(false);
});

it('a refusal of the server is told', async () => {
  await expect(pull([model({ url: `${origin}/missing` })])).rejects.toThrow('404');
});

it('a non-commercial licence is refused before anything is fetched, unless it is allowed', async () => {
  const models = [model({ licence: 'CC-BY-NC-4.0' })];
  expect(await pull(models)).toMatchObject({ installed: [], refused: ['test-embedding'] });
  expect(ranges).toEqual([]);
  expect(await pull(models, true)).toMatchObject({ installed: ['test-embedding'] });
});

it('a model of unknown hash is not installed until its hash is pinned in models.json, and then verified by it', async () => {
  const models = [model({ sha256: null })];
  expect(await pull(models)).toMatchObject({ installed: [], unpinned: ['test-embedding'] });
  expect(said.join('\n')).toContain(HASH);
  expect(existsSync(join(folder, 'models.json'))).toBe(false);
  const pinned = JSON.parse(said.at(-1) ?? '') as object;
  writeFileSync(join(folder, 'models.json'), JSON.stringify(pinned));
  expect(await pull(models)).toMatchObject({ installed: ['test-embedding'] });
  writeFileSync(join(folder, 'models.json'), JSON.stringify(pinned).replace(HASH, 'f'.repeat(64)));
  await expect(pull(models)).rejects.toThrow('f'.repeat(64));
});

it('a slot that holds another model stays as it is', async () => {
  const own = { faceEmbedding: { name: 'our own' } };
  writeFileSync(join(folder, 'models.json'), JSON.stringify(own));
  await pull([model()]);
  expect(JSON.parse(readFileSync(join(folder, 'models.json'), 'utf8'))).toEqual(own);
  expect(ranges).toEqual([]);
});

it('the recommended models are described as the production engine reads them', () => {
  const hash = 'a'.repeat(64);
  const described = RECOMMENDED_MODELS.map(({ description, files, folder: models, slot }) => [
    slot,
    models === undefined
      ? { ...description, file: files[0].path, sha256: hash }
      : {
          ...description,
          folder: models,
          files: Object.fromEntries(files.map(({ path }) => [path.slice(models.length + 1), hash])),
        },
  ]);
  writeFileSync(join(folder, 'models.json'), JSON.stringify(Object.fromEntries(described)));
  const { problems, slots } = readModelsFile(folder);
  expect(problems).toEqual([]);
  expect(Object.keys(slots)).toHaveLength(RECOMMENDED_MODELS.length);
});
