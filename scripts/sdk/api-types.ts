import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_PORT } from '../local/paths.ts';
import { called, documentOf, typesOf } from '../web/openapi-types.ts';
import { operationsOf } from './operations-of.ts';
import { pythonApi } from './python-api.ts';

/**
 * Writes the types of the client libraries from the OpenAPI documents of a running system: `node scripts/sdk/api-types.ts [--check]
 * [origin]`. With `--check` it writes nothing, and fails where what is committed differs.
 */
const CLIENTS = join(import.meta.dirname, '..', '..', 'clients');
const TARGET = join(CLIENTS, 'sdk', 'generated');
const PYTHON_TARGET = join(CLIENTS, 'python', 'edge_exchange', 'generated');

/** Profiles by the first segment of their paths. Routes of operators are no part of the library. */
const PROFILES = {
  exchange: 'exchange',
  book: 'book',
  partner: 'partner',
  'events-service': 'events',
  bridge: 'bridge',
};
/** What the library for Python has of them. */
const IN_PYTHON = ['book', 'partner'];
const LEFT_OUT = /^\/v1\/operator\/|^\/healthz$/;

const isCheck = process.argv.includes('--check');
const origin =
  process.argv.slice(2).find((argument) => argument.startsWith('http')) ?? `http://localhost:${DEFAULT_PORT}`;
const differing: string[] = [];

for (const [segment, profile] of Object.entries(PROFILES)) {
  const whole = await documentOf(origin, segment);
  const paths = Object.keys(whole.paths ?? {}).filter((path) => !LEFT_OUT.test(path));
  const document = called(whole, paths);
  const head = `/** Written by scripts/sdk/api-types.ts from the OpenAPI document of profile ${profile}. */\n`;
  write(`${profile}-api.ts`, `${head}import type { ApiNumber } from '../wire/json.ts';\n\n${await typesOf(document)}`);
  write(
    `${profile}-operations.ts`,
    `${head}import type { Operations } from '../wire/operations.ts';\n\nexport const ${profile}Operations: Operations = ${JSON.stringify(operationsOf(document), null, 2)};\n`,
  );
  if (IN_PYTHON.includes(profile)) write(`${profile}.py`, pythonApi(document, profile), PYTHON_TARGET);
}
if (differing.length > 0) {
  console.error(`${differing.join(', ')} differ from what ${origin} answers: run node scripts/sdk/api-types.ts`);
  process.exitCode = 1;
}

function write(name: string, text: string, folder = TARGET): void {
  const file = join(folder, name);
  if (!isCheck) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) differing.push(name);
}
