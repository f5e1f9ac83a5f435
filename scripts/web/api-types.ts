import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_PORT } from '../local/paths.ts';
import { called, documentOf, typesOf } from './openapi-types.ts';

/**
 * Writes the types of the calls that the console makes and the client library does not (those of operators and of the identity provider), from the OpenAPI documents of a running system: `node scripts/web/api-types.ts
 * [--check] [origin]`. With `--check` it writes nothing, and fails where what is committed differs.
 */
const TARGET = join(import.meta.dirname, '..', '..', 'web', 'src', 'api', 'generated');

/** Such calls, by profile: nothing else of a document is written. All others have their types from `clients/sdk/generated`. */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  exchange: [
    '/v1/operator/accounts',
    '/v1/operator/accounts/{id}',
    '/v1/operator/accounts/{id}/freeze',
    '/v1/operator/accounts/{id}/unfreeze',
    '/v1/operator/approvals',
    '/v1/operator/approvals/{id}',
    '/v1/operator/approvals/{id}/approve',
    '/v1/operator/approvals/{id}/reject',
    '/v1/operator/assets',
    '/v1/operator/assets/{id}',
    '/v1/operator/assets/{id}/image',
    '/v1/operator/assets/{id}/interest',
    '/v1/operator/assets/{id}/listing-event',
    '/v1/operator/assets/{id}/listing-events',
    '/v1/operator/assets/{id}/listing-events/{event}',
    '/v1/operator/assets/{id}/listing-events/{event}/indications',
    '/v1/operator/assets/{id}/listing-events/{event}/stop',
    '/v1/operator/assets/{id}/status',
    '/v1/operator/audit',
    '/v1/operator/audit-trail',
    '/v1/operator/books',
    '/v1/operator/books/{symbol}/resume',
    '/v1/operator/incidents',
    '/v1/operator/incidents/{id}',
    '/v1/operator/incidents/{id}/updates',
    '/v1/operator/bridge/organizations',
    '/v1/operator/bridge/organizations/{organization}',
    '/v1/operator/bridge/organizations/{organization}/signers',
    '/v1/operator/bridge/organizations/{organization}/tenants',
    '/v1/operator/bridge/transfers',
    '/v1/operator/bridge/transfers/{id}',
    '/v1/operator/bridge/transfers/{id}/proofs',
    '/v1/operator/bridge/transfers/{id}/words',
    '/v1/operator/broker-breaks',
    '/v1/operator/broker-differences',
    '/v1/operator/ledger',
    '/v1/operator/ledger/rebuild-read-model',
    '/v1/operator/markets',
    '/v1/operator/markets/{symbol}',
    '/v1/operator/markets/{symbol}/broker-breaks/{id}',
    '/v1/operator/markets/{symbol}/broker-breaks/{id}/resolve',
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
    '/v1/operator/prime-events',
    '/v1/operator/prime-events/{id}/resolve',
    '/v1/operator/refusals',
    '/v1/operator/refusals/rules',
    '/v1/operator/search',
    '/v1/operator/stores',
    '/v1/operator/surveillance',
    '/v1/operator/surveillance-days',
    '/v1/operator/surveillance/{id}',
    '/v1/operator/surveillance/{id}/assign',
    '/v1/operator/surveillance/{id}/close',
    '/v1/operator/surveillance/{id}/notes',
    '/v1/operator/surveillance/{id}/reopen',
    '/v1/operator/transfer-requests',
    '/v1/operator/transfer-requests/{id}',
    '/v1/operator/transfer-requests/{id}/approve',
    '/v1/operator/transfer-requests/{id}/execute',
    '/v1/operator/transfer-requests/{id}/reject',
    '/v1/operator/users',
    '/v1/operator/users/search',
    '/v1/operator/users/{id}',
    '/v1/operator/users/{id}/deactivate',
    '/v1/operator/users/{id}/family',
    '/v1/operator/users/{id}/family/{relation_id}',
    '/v1/operator/users/{id}/reactivate',
    '/v1/operator/venue/halt',
    '/v1/operator/venue/resume',
    '/v1/operator/webhooks',
    '/v1/operator/webhooks/{id}',
    '/v1/operator/webhooks/{id}/deliveries',
    '/v1/operator/webhooks/{id}/deliveries/{delivery}',
    '/v1/operator/webhooks/{id}/deliveries/{delivery}/replay',
  ],
  iam: ['/v1/keys', '/v1/keys/{id}', '/v1/sessions', '/v1/sessions/{id}', '/v1/users/{id}/kill-switch'],
};

const isCheck = process.argv.includes('--check');
const origin =
  process.argv.slice(2).find((argument) => argument.startsWith('http')) ?? `http://localhost:${DEFAULT_PORT}`;
const differing: string[] = [];

for (const [profile, paths] of Object.entries(CALLED)) {
  const document = called(await documentOf(origin, profile), paths);
  const text = `/** Written by scripts/web/api-types.ts from the OpenAPI document of profile ${profile}. */\nimport type { ApiNumber } from '../json.ts';\n\n${await typesOf(document)}`;
  const file = join(TARGET, `${profile}-api.ts`);
  if (!isCheck) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) differing.push(file);
}
if (differing.length > 0) {
  console.error(`${differing.join(', ')} differ from what ${origin} answers: run node scripts/web/api-types.ts`);
  process.exitCode = 1;
}
