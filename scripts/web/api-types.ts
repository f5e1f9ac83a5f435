import { readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import type { OpenAPI3 } from 'openapi-typescript';
import { DEFAULT_PORT } from '../local/paths.ts';

/**
 * Writes the types of the calls that the console makes, from the OpenAPI documents of a running system: `node scripts/web/api-types.ts
 * [--check] [origin]`. With `--check` it writes nothing, and fails where what is committed differs.
 */
const TARGET = join(import.meta.dirname, '..', '..', 'web', 'src', 'api', 'generated');

/** What the console calls, by profile: nothing else of a document is written. */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  exchange: [
    '/v1/account',
    '/v1/account/accreditation',
    '/v1/assets',
    '/v1/assets/{id}',
    '/v1/assets/{id}/book',
    '/v1/assets/{id}/chart',
    '/v1/assets/{id}/quote',
    '/v1/core-transactions',
    '/v1/exchange-portfolio',
    '/v1/navigation',
    '/v1/operator/accounts',
    '/v1/operator/accounts/{id}',
    '/v1/operator/accounts/{id}/freeze',
    '/v1/operator/accounts/{id}/unfreeze',
    '/v1/operator/approvals',
    '/v1/operator/approvals/{id}',
    '/v1/operator/approvals/{id}/approve',
    '/v1/operator/approvals/{id}/reject',
    '/v1/operator/audit',
    '/v1/operator/audit-trail',
    '/v1/operator/books',
    '/v1/operator/books/{symbol}/resume',
    '/v1/operator/ledger',
    '/v1/operator/ledger/rebuild-read-model',
    '/v1/operator/markets',
    '/v1/operator/markets/{symbol}',
    '/v1/operator/markets/{symbol}/halt',
    '/v1/operator/markets/{symbol}/resume',
    '/v1/operator/onboarding',
    '/v1/operator/onboarding/{id}',
    '/v1/operator/onboarding/{id}/approve',
    '/v1/operator/onboarding/{id}/ask-back',
    '/v1/operator/onboarding/{id}/full',
    '/v1/operator/onboarding/{id}/refuse',
    '/v1/operator/organizations',
    '/v1/operator/overview',
    '/v1/operator/refusals',
    '/v1/operator/refusals/rules',
    '/v1/operator/stores',
    '/v1/operator/transfer-requests',
    '/v1/operator/transfer-requests/{id}',
    '/v1/operator/transfer-requests/{id}/approve',
    '/v1/operator/transfer-requests/{id}/execute',
    '/v1/operator/transfer-requests/{id}/reject',
    '/v1/operator/users',
    '/v1/operator/users/search',
    '/v1/operator/users/{id}',
    '/v1/operator/users/{id}/deactivate',
    '/v1/operator/users/{id}/reactivate',
    '/v1/operator/venue/halt',
    '/v1/operator/venue/resume',
    '/v1/orders',
    '/v1/orders/{id}',
    '/v1/portfolio',
  ],
  book: [
    '/v1/account/balances',
    '/v1/candles/{symbol}',
    '/v1/fills',
    '/v1/markets',
    '/v1/orderbook/{symbol}',
    '/v1/orders',
    '/v1/orders/preview',
    '/v1/orders/{order_id}',
    '/v1/ticker/{symbol}',
    '/v1/trades/{symbol}',
  ],
  iam: ['/v1/keys', '/v1/keys/{id}', '/v1/sessions', '/v1/users/{id}/kill-switch'],
};

/** openapi-typescript prints with the compiler's API, which TypeScript 7 does not have yet: it gets TypeScript 5, which is installed beside it. */
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? 'typescript5' : specifier, context),
});
const { astToString, default: openapiTs } = await import('openapi-typescript');
const { default: ts } = await import('typescript5');

const isCheck = process.argv.includes('--check');
const origin =
  process.argv.slice(2).find((argument) => argument.startsWith('http')) ?? `http://localhost:${DEFAULT_PORT}`;
const differing: string[] = [];

for (const [profile, paths] of Object.entries(CALLED)) {
  const text = await typesOf(profile, paths);
  const file = join(TARGET, `${profile}-api.ts`);
  if (!isCheck) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) differing.push(file);
}
if (differing.length > 0) {
  console.error(`${differing.join(', ')} differ from what ${origin} answers: run node scripts/web/api-types.ts`);
  process.exitCode = 1;
}

async function typesOf(profile: string, paths: readonly string[]): Promise<string> {
  const response = await fetch(`${origin}/${profile}/openapi.json`);
  if (!response.ok) throw new Error(`${origin}/${profile}/openapi.json answers ${response.status}`);
  const document = called((await response.json()) as OpenAPI3, paths);
  const number = ts.factory.createTypeReferenceNode('ApiNumber');
  const nodes = await openapiTs(document, {
    alphabetize: true,
    excludeDeprecated: true,
    // The client reads numbers as their text (web/src/api/json.ts): no amount becomes a float.
    transform: (schema) => {
      if (!('type' in schema)) return undefined;
      const types: readonly unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
      if (!types.includes('number') && !types.includes('integer')) return undefined;
      return types.includes('null')
        ? ts.factory.createUnionTypeNode([number, ts.factory.createLiteralTypeNode(ts.factory.createNull())])
        : number;
    },
  });
  return `/** Written by scripts/web/api-types.ts from the OpenAPI document of profile ${profile}. */\nimport type { ApiNumber } from '../json.ts';\n\n${astToString(nodes)}`;
}

/** The document with the called paths alone, without headers and errors of answers, which are the same everywhere. */
function called(document: OpenAPI3, paths: readonly string[]): OpenAPI3 {
  const all = document.paths ?? {};
  const missing = paths.filter((path) => !(path in all));
  if (missing.length > 0) throw new Error(`the document lacks ${missing.join(', ')}`);
  const kept = structuredClone(Object.fromEntries(paths.map((path) => [path, all[path]])));
  for (const operations of Object.values(kept)) {
    for (const operation of Object.values(
      operations as Record<string, { responses?: Record<string, { headers?: unknown }> }>,
    )) {
      for (const [status, answer] of Object.entries(operation.responses ?? {})) {
        if (status.startsWith('2')) delete answer.headers;
        else delete operation.responses?.[status];
      }
    }
  }
  const components = { schemas: reached(kept, document.components?.schemas ?? {}) };
  return { ...document, paths: kept, components } as OpenAPI3;
}

function reached(from: unknown, schemas: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  const walk = (value: unknown): void => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (name === undefined || name in found) continue;
      found[name] = schemas[name];
      walk(schemas[name]);
    }
  };
  walk(from);
  return found;
}
