import type { Address } from 'viem';
import { laneOf } from '../../domain/bridge/lane.ts';
import {
  type DeploymentPlace,
  deployGuard,
  deployStake,
  deployVault,
  deployWrapped,
  setLanes,
} from '../contracts/bridge-deployment.ts';
import { devnetAccount } from '../contracts/devnet.ts';
import type { Session } from '../local/session.ts';
import type { DepositCall } from './wallet.ts';

const ANSWER_WAIT_MS = 60_000;
const DEPLOYER = devnetAccount(0);
const RELAYER = devnetAccount(2);
export const WATCHTOWER = 5;

/** A transfer as the bridge shows it, as far as the demo looks at it. */
export interface ShownTransfer {
  readonly id: string;
  readonly state: string;
  readonly quote: { readonly amount_in: string; readonly amount_out: string };
  readonly commitment: string;
  readonly deposit: { readonly call: DepositCall | null } | null;
  readonly refund_reason: string | null;
  readonly waits_for: string | null;
  readonly payment: { readonly kind: string; readonly transaction: string | null } | null;
  readonly history: readonly { readonly to: string }[];
}

/** An organization that runs a tenant of the bridge, with its contracts. */
export interface Tenant {
  readonly organization: string;
  readonly hostname: string;
  readonly vault: Address;
  readonly wrapped: Address;
  readonly guard: Address;
  readonly place: DeploymentPlace;
  /** @throws Error where the answer is another than the expected one */
  call<Data>(target: string, body?: unknown, expected?: number): Promise<Data>;
}

export interface TenantTerms {
  readonly name: string;
  readonly hostname: string;
  readonly color: string;
  /** Of USDC, in its smallest unit: what may go a day, and from which amount on it may be challenged. */
  readonly limit: bigint;
  readonly challengeFrom: bigint;
}

export interface DemoPlace {
  readonly origin: string;
  /** RPCs. */
  readonly external: string;
  readonly exchange: string;
  readonly operator: Session;
  readonly token: Address;
  readonly say: (text: string) => void;
}

/** A lane of the demo's asset. */
export const LANE = laneOf('ethereum', 'USDC');

/** From the application to the last contract: what an operator and the organization do once. */
export async function setUpTenant(demo: DemoPlace, terms: TenantTerms): Promise<Tenant> {
  const { origin, operator, say } = demo;
  const { name, hostname, color, limit, challengeFrom } = terms;
  const application = { role: 'bridge_tenant', name, contact_email: 'desk@example.com' };
  const applied = await answer<{ organization_id: string; client_id: string; client_secret: string }>(
    `${origin}/iam/v1/organizations`,
    json('POST', application),
    201,
  );
  const organization = applied.organization_id;
  await operator.call(`POST /v1/operator/partners/${organization}/approve`, { reason: 'agreement signed' });
  const form = {
    grant_type: 'client_credentials',
    client_id: applied.client_id,
    client_secret: applied.client_secret,
    scope: 'openid',
  };
  const { access_token } = await answer<{ access_token: string }>(
    `${origin}/iam/api/login/oauth/access_token`,
    { method: 'POST', body: new URLSearchParams(form) },
    200,
  );
  await operator.call(`PUT /v1/operator/bridge/tenants/${hostname}`, {
    organization,
    name,
    signingMode: 'native',
    chains: ['ethereum'],
    branding: { primaryColor: color, accentColor: null, supportUrl: null },
  });
  const keys = `/v1/operator/bridge/organizations/${organization}`;
  const { data: key } = await operator.call<{ data: { groupKey: string } }>(`POST ${keys}/keys`, {
    scheme: 'frost-secp256k1',
  });
  say(`  ${name}: five signers have made the key ${key.groupKey.slice(0, 14)}… together`);
  const { data: signers } = await operator.call<{ data: { account: string }[] }>(`GET ${keys}/signers`);
  const governance = { proposer: DEPLOYER.address, delay: 0, guardian: DEPLOYER.address };
  const at = { account: DEPLOYER, organization, governance };
  const place = { ...at, rpc: demo.exchange };
  const vault = await deployVault({ ...at, rpc: demo.external }, key.groupKey, [{ token: demo.token, amount: limit }]);
  const unit = { name: 'USD Coin (Ethereum)', symbol: 'USDC.eth', decimals: 6, dailyLimit: limit };
  const wrapped = await deployWrapped(place, key.groupKey, unit);
  const guard = await deployGuard(place, { requester: RELAYER.address, watchtower: devnetAccount(WATCHTOWER).address });
  await setLanes(place, guard, [{ lane: LANE, limit, challengeFrom, challengeSeconds: 3_600n }]);
  const stakers = signers.map(({ account }) => account as Address);
  const stake = await deployStake(place, { beneficiary: DEPLOYER.address, signers: stakers });
  await operator.call(`PUT ${keys}`, { guard, stake, feeBps: 10, queueMs: 3_600_000 });
  const shared = {
    network: 'local',
    keys: { scheme: 'frost-secp256k1', groupKey: key.groupKey, signerKeys: [] },
    decimals: 6,
  };
  await operator.call(`PUT ${keys}/vaults`, {
    origin: 'ethereum',
    chain: 'ethereum',
    assetId: 'usdc',
    place: { ...shared, contract: vault, token: demo.token },
  });
  await operator.call(`PUT ${keys}/vaults`, {
    origin: 'ethereum',
    chain: 'exchange',
    assetId: 'usdc',
    place: { ...shared, contract: wrapped, token: null },
  });
  say(`  ${name}: vault ${vault}, wrapped token ${wrapped}, guard ${guard}`);
  const headers = { authorization: `Bearer ${access_token}` };
  return {
    organization,
    hostname,
    vault,
    wrapped,
    guard,
    place,
    call: (target, body, expected = 200) => {
      const [method = '', path = ''] = target.split(' ');
      return answer(`${origin}/bridge${path}?hostname=${hostname}`, json(method, body, headers), expected);
    },
  };
}

function json(method: string, body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit {
  if (body === undefined) return { method, headers };
  return { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** @throws Error where the answer is another than the expected one */
async function answer<Data>(url: string, init: RequestInit, expected: number): Promise<Data> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_WAIT_MS) });
  const text = await response.text();
  if (response.status !== expected)
    throw new Error(`${init.method ?? 'GET'} ${url} answered ${response.status} and not ${expected}: ${text}`);
  return JSON.parse(text) as Data;
}
