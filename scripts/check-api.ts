import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Parser } from '@asyncapi/parser';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import type { OpenApiDocument, Operation } from '../workers/middleware/describe-document.ts';
import { asyncDocuments } from './api/async-documents.ts';
import { openApiDocuments } from './api/of-the-worker.ts';

/**
 * `npm run check:api [-- --write]`: the OpenAPI document of each profile, by the recommended rules of Spectral and Redocly; the AsyncAPI documents of
 * docs/asyncapi, by their own parser, and by whether they are what the code says. `--write` writes these. Needs no running system.
 */
const ASYNC = join(import.meta.dirname, '..', 'docs', 'asyncapi');
const isWrite = process.argv.includes('--write');

/** Rules that ask for an answer of success: a handshake answers 101, and a way through the browser leads on. */
const OF_SUCCESS: readonly string[] = ['operation-success-response', 'operation-2xx-response'];

const problems: string[] = [];
const rules = new spectral.Spectral();
// The packages disagree on the type of a rule set that has only rules.
rules.setRuleset({ extends: [[rulesets.oas as unknown as RulesetDefinition, 'recommended']] });
const config = await createConfig({ extends: ['recommended'] });

for (const [name, document] of await openApiDocuments()) await checkOpenApi(name, document);
await checkAsyncApi();
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? 'the descriptions of all interfaces hold' : `${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

async function checkOpenApi(name: string, document: OpenApiDocument): Promise<void> {
  const text = JSON.stringify(document);
  for (const [path, operations] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(operations)) {
      if (!hasExamples(operation)) problems.push(`${name} ${method} ${path}: no example`);
    }
  }
  for (const { code, path, message } of await rules.run(text)) {
    const operation = document.paths?.[String(path[1])]?.[String(path[2])];
    if (!isExcepted(String(code), operation)) problems.push(`${name} ${path.join(' ')}: ${message} (spectral ${code})`);
  }
  for (const { ruleId, location, message } of await lintFromString({
    source: text,
    absoluteRef: `/${name}.json`,
    config,
  })) {
    const pointer = location[0]?.pointer ?? '';
    const [, , path = '', method = ''] = pointer
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (!isExcepted(ruleId, document.paths?.[path]?.[method]))
      problems.push(`${name} ${pointer}: ${message} (redocly ${ruleId})`);
  }
}

function isExcepted(rule: string, operation: Operation | undefined): boolean {
  const statuses = Object.keys(operation?.responses ?? {});
  return OF_SUCCESS.includes(rule) && statuses.some((status) => status === '101' || status.startsWith('3'));
}

/** JSON that is sent or answered has an example. */
function hasExamples({ requestBody, responses = {} }: Operation): boolean {
  const bodies = [
    requestBody,
    ...Object.entries(responses).flatMap(([status, answer]) => (status < '3' ? [answer] : [])),
  ];
  const media = bodies.flatMap((body) => body?.content?.['application/json'] ?? []);
  return media.every(({ example, examples }) => example !== undefined || examples !== undefined);
}

async function checkAsyncApi(): Promise<void> {
  const parser = new Parser();
  if (isWrite) mkdirSync(ASYNC, { recursive: true });
  for (const [name, document] of Object.entries(await asyncDocuments())) {
    const file = join(ASYNC, `${name}.json`);
    const text = `${JSON.stringify(document, null, 1)}\n`;
    if (isWrite) writeFileSync(file, text);
    else if (readFileSync(file, 'utf8') !== text)
      problems.push(`docs/asyncapi/${name}.json differs: npm run check:api -- --write`);
    const { diagnostics } = await parser.parse(text);
    for (const { code, path, message } of diagnostics)
      problems.push(`docs/asyncapi/${name}.json ${path.join(' ')}: ${message} (${code})`);
  }
}
