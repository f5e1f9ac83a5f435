import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_PORT } from '../local/paths.ts';
import { called, documentOf, typesOf } from './openapi-types.ts';

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
    '/v1/account/accreditation/attestations',
    '/v1/account/accreditation/verifications',
    '/v1/account/deposits',
    '/v1/account/deposits/{id}',
    '/v1/account/money',
    '/v1/account/tasks',
    '/v1/account/transfer-requests',
    '/v1/account/transfer-requests/{id}',
    '/v1/account/withdrawals',
    '/v1/account/withdrawals/{id}',
    '/v1/assets',
    '/v1/assets/{id}',
    '/v1/assets/{id}/book',
    '/v1/assets/{id}/chart',
    '/v1/assets/{id}/eligibility',
    '/v1/assets/{id}/quote',
    '/v1/core-transactions',
    '/v1/exchange-portfolio',
    '/v1/fees',
    '/v1/fills/{id}/confirmation',
    '/v1/gains',
    '/v1/navigation',
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
    '/v1/orders',
    '/v1/orders/preview',
    '/v1/orders/{id}',
    '/v1/portfolio',
    '/v1/portfolio/history',
    '/v1/statements',
    '/v1/statements/{month}',
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
