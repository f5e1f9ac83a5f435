import { uuidv7 } from 'uuidv7';
import type { LedgerEnv } from '../../application/ledger/ledger-env.ts';
import { deposit } from '../../application/ledger/transfers.ts';
import { openAccount } from '../../data/accounts/accounts.ts';
import { database } from '../../data/database.ts';
import { createApiKey } from '../../data/identity/api-keys.ts';
import { createOAuthClient } from '../../data/identity/oauth-clients.ts';
import { sealSecret } from '../../data/identity/sealed-secret.ts';
import type { MemberRequest } from './crowd-member.ts';

export { Gate } from '../../durable-objects/gate/gate.ts';
export { Ledger } from '../../durable-objects/ledger/ledger.ts';
export { OrderBook } from '../../durable-objects/order-book/order-book.ts';
export { SandboxBroker } from '../../durable-objects/sandbox-broker/sandbox-broker.ts';
export { SandboxPrime } from '../../durable-objects/sandbox-prime/sandbox-prime.ts';

interface CrowdEnv extends LedgerEnv {
  readonly API_KEY_MASTER_KEY: string;
}

const OWNER = 'demo';
/** What everyone has, in scaled units of the demo's assets: $100,000, 300 shares of each, 1 BTC. */
const HOLDINGS = [
  { asset: 'usd', amount: 1_000_000_000, lots: false },
  { asset: 'acme', amount: 300, lots: true },
  { asset: 'maple', amount: 300, lots: true },
  { asset: 'btc', amount: 100_000_000, lots: false },
] as const;

/** Puts users into a ledger that nothing else has open. A Worker, because from Node each statement would cost a round trip. */
export default {
  async fetch(request: Request, env: CrowdEnv): Promise<Response> {
    const members = (await request.json()) as MemberRequest[];
    for (const member of members) await seedMember(env, member);
    return Response.json({});
  },
};

async function seedMember(env: CrowdEnv, { name, secret }: MemberRequest): Promise<void> {
  const db = database(env.DB);
  const account = `${name}-account`;
  const createdAt = Date.now();
  await openAccount(
    db,
    { id: name, owner: OWNER, phone: null, email: `${name}@example.com`, name, roles: ['trader'], createdAt },
    { id: account, kycStatus: 'completed', accreditationStatus: 'completed', accreditationType: '506c' },
  );
  await createApiKey(
    db,
    {
      id: name,
      account,
      userId: name,
      owner: OWNER,
      name,
      scopes: ['read', 'trade'],
      ipAllowlist: null,
      rateLimits: null,
      positionLimits: null,
      dailyLossMax: null,
      createdAt,
    },
    await sealSecret(secret, env.API_KEY_MASTER_KEY, name),
  );
  await createOAuthClient(db, {
    id: name,
    owner: OWNER,
    name,
    secretHash: await sha256(secret),
    grants: ['client_credentials'],
    userId: name,
    createdAt,
  });
  for (const { asset, amount, lots } of HOLDINGS) {
    const result = await deposit(env, {
      id: uuidv7(),
      account,
      asset,
      amount,
      cost: 0,
      lots: lots
        ? [{ quantity: amount, cost: 0, acquiredAt: createdAt, restrictionEndsAt: null, offeringType: null }]
        : [],
      reference: null,
      createdAt,
      action: null,
    });
    if (!result.ok) throw new Error(`crowd: deposit of ${asset} refused, ${JSON.stringify(result.error)}`);
  }
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
