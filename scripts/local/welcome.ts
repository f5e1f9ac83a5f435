import { DEMO_CUSTOMER, DEMO_TENANT } from '../../application/seed/demo-bridge.ts';
import { DEMO_CLIENTS, demoKeyOf } from '../../application/seed/demo-credentials.ts';
import {
  DEMO_AGENT,
  DEMO_INVESTORS,
  DEMO_LISTER,
  DEMO_LISTING,
  DEMO_SECURITY,
} from '../../application/seed/demo-partners.ts';
import { DEMO_PEOPLE } from '../../application/seed/demo-people.ts';
import { DEMO_WALLET } from './bridge/demo-wallet.ts';
import type { DevnetPlace } from './devnet.ts';
import type { Gateways } from './gateways.ts';
import type { Inference } from './inference.ts';
import { PATHS } from './paths.ts';

/** Of a service that SERVICES does not name. */
const LEFT_OUT = 'left out';

/** A system that answers. */
export interface Answering {
  readonly port: number;
  readonly gateways: Gateways;
  /** Null where it was left out. */
  readonly inference: Inference | null;
  readonly devnet: DevnetPlace | null;
  readonly hasDemo: boolean;
}

/** What `npm start` prints when everything answers: addresses, demo credentials, and lines that work when pasted. */
export function welcome(system: Answering): string {
  return `
${addresses(system)}
${system.hasDemo ? demo(`http://localhost:${system.port}`) : ''}
Ctrl-C stops everything; the data stays in ${PATHS.shownState} until \`npm run reset\`. \`npm run audit\` checks the ledger.`;
}

function addresses({ port, gateways, inference, devnet }: Answering): string {
  const origin = `http://localhost:${port}`;
  return `Console                        ${origin}          open it in a browser, and sign in with the number of a demo user

Addresses
  asset exchange (profile A)   ${origin}/exchange/v1      reference ${origin}/exchange/docs
  order book     (profile B)   ${origin}/book/v1          reference ${origin}/book/docs
  agent tools    (profile E)   ${origin}/agent/mcp        over stdio: EXCHANGE_API_URL=${origin}/book EXCHANGE_API_KEY=… EXCHANGE_API_SECRET=… npx edge-exchange-agent
  feeds                        ws://localhost:${port}/book/v1/ws, ${origin}/book/v1/stream      try: npx node clients/feed/example.ts ACME-USD ${origin}/book
  gRPC                         ${gateways.grpc ?? LEFT_OUT}          TradingService, with reflection and health
  FIX 4.4                      ${gateways.fix ?? LEFT_OUT}           TargetCompID EXCHANGE; Username and Password are an API key and its secret
  partners                     ${origin}/partner/v1       reference ${origin}/partner/docs
  bridge                       ${origin}/bridge/api       reference ${origin}/bridge/docs
  event face recognition       ${origin}/events-service   reference ${origin}/events-service/docs
  inference container          ${inference?.url ?? LEFT_OUT}          reached by the Worker alone
  devnet                       ${devnet === null ? 'none for this machine' : `${devnet.url}       registry of settlements ${devnet.registry}`}
  Ethereum, a local chain      ${devnet?.ethereum ?? 'none of this start'}
  identity provider            ${origin}/iam              reference ${origin}/iam/docs
  one-time codes that were sent  ${origin}/iam/dev/outbox
  logs                         ${PATHS.log}`;
}

function demo(origin: string): string {
  return `
Demo users (client_id demo-app; username is the phone, password the one-time code)
${people()}

API keys (X-API-Key, X-API-Secret)
${keys()}

Machine clients (client_credentials)
${clients()}

Partners (client_credentials)
${partners()}

Bridge (client_credentials)
${bridge()}

Try
  # the public book of a private security
  curl -s '${origin}/book/v1/orderbook/ACME-USD?depth=5'

  # a one-time code for Alice, and the access token that it buys
  curl -s -o /dev/null ${origin}/iam/api/login/oauth/send-code -d client_id=demo-app -d phone=%2B15550100002 && sleep 1 && curl -s ${origin}/iam/api/login/oauth/access_token -d grant_type=password -d client_id=demo-app -d username=%2B15550100002 -d scope=openid+profile+email+phone -d password=$(curl -s ${origin}/iam/dev/outbox | grep -oE '[0-9]{6} is your' | head -1 | grep -oE '[0-9]{6}')

  # Bob bids for ten shares with his key
  curl -s ${origin}/book/v1/orders -H 'X-API-Key: ${demoKeyOf('bob').id}' -H 'X-API-Secret: ${demoKeyOf('bob').secret}' -H 'content-type: application/json' -d '{"symbol":"ACME-USD","side":"buy","type":"limit","price":24.5,"size":10,"time_in_force":"GTC"}'

  # the lister’s security with its quote; \`npm run demo:partner\` plays a lister and an agent
  curl -s ${origin}/partner/v1/securities/${DEMO_SECURITY.id} -H "authorization: Bearer ${partnerToken(origin, DEMO_LISTER)}"

  # the agent’s cap table of it
  curl -s ${origin}/partner/v1/captable/${DEMO_SECURITY.id} -H "authorization: Bearer ${partnerToken(origin, DEMO_AGENT)}"

  # the bridge’s tenant, as everybody sees it
  curl -s '${tenantUrl(origin, '/api/tenant')}'

  # 25 USDC of its customer go to a wallet on the chain that stands for Ethereum, once the bridge says that it is ready; /bridge/api/v1/transfer lists transfers, with the same token
  curl -s '${tenantUrl(origin, '/api/v1/transfer/initiate')}' -H "authorization: Bearer ${partnerToken(origin, DEMO_TENANT)}" -H 'content-type: application/json' -d '${withdrawal()}'

  # an event, made by the machine client of the event service; \`npm run demo:events\` plays a whole one
  curl -s ${origin}/events-service/events -H "authorization: Bearer $(curl -s ${origin}/iam/api/login/oauth/access_token -d grant_type=client_credentials -d client_id=demo-events -d client_secret=demo-events-secret-local-only | grep -oE '"access_token":"[^"]+' | cut -d'"' -f4)" -H 'content-type: application/json' -d '{"name":"Open day","description":"Doors open at nine","date":"2027-03-01T09:00:00Z","end_date":"2027-03-01T18:00:00Z"}'
`;
}

function people(): string {
  return DEMO_PEOPLE.flatMap(({ name, phone, owner, kind }) =>
    phone === null ? [] : [`  ${name.padEnd(8)} ${phone}  ${owner.padEnd(10)} ${kind}`],
  ).join('\n');
}

function keys(): string {
  return DEMO_PEOPLE.flatMap(({ name, roles }) => {
    if (!roles.includes('trader')) return [];
    const { id, secret } = demoKeyOf(name);
    return [`  ${id.padEnd(12)} ${secret}`];
  }).join('\n');
}

function clients(): string {
  return DEMO_CLIENTS.flatMap(({ id, secret }) => (secret === null ? [] : [`  ${id.padEnd(14)} ${secret}`])).join('\n');
}

function partners(): string {
  const clients = [
    ['cross-lister', DEMO_LISTER],
    ['transfer agent', DEMO_AGENT],
  ] as const;
  const investors = DEMO_INVESTORS.map(
    ({ id, account, name }) => `  investor        ${id}  account ${account}  ${name}`,
  );
  return [
    ...clients.map(([role, { id, secret, name }]) => `  ${role.padEnd(14)}  ${id}  ${secret.padEnd(29)}  ${name}`),
    `  security        ${DEMO_SECURITY.id}  ${DEMO_LISTING.symbol}  ${DEMO_SECURITY.assetName}`,
    ...investors,
  ].join('\n');
}

function bridge(): string {
  const { id, secret, name, hostname } = DEMO_TENANT;
  return [
    `  tenant          ${id}  ${secret.padEnd(29)}  ${name}, at the hostname ${hostname}`,
    `  customer        ${DEMO_CUSTOMER.id}  account of ${DEMO_CUSTOMER.name}, with USDC that came from Ethereum`,
    `  wallet          ${DEMO_WALLET.address}  on the chain that stands for Ethereum, with USDC`,
  ].join('\n');
}

function tenantUrl(origin: string, path: string): string {
  return `${origin}/bridge${path}?hostname=${DEMO_TENANT.hostname}`;
}

function withdrawal(): string {
  const source = { account_id: DEMO_CUSTOMER.id };
  const destination = { chain: 'ethereum', address: DEMO_WALLET.address };
  return JSON.stringify({ asset: 'USDC', amount: 25, source, destination });
}

/** What a shell puts in its place. */
function partnerToken(origin: string, { id, secret }: { readonly id: string; readonly secret: string }): string {
  const form = `-d grant_type=client_credentials -d client_id=${id} -d client_secret=${secret}`;
  return `$(curl -s ${origin}/iam/api/login/oauth/access_token ${form} | grep -oE '"access_token":"[^"]+' | cut -d'"' -f4)`;
}
