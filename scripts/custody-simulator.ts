import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { bitcoinAddress } from './local/custody-simulator/bitcoin-address.ts';
import { CustodyServer } from './local/custody-simulator/custody-server.ts';

const HELP = `Stands in for a custody provider whose vault account 7 has Bitcoin of this machine's own chain (asset BTC_TEST).

  npm run custody:simulator -- --signers <five compressed keys, with commas> [--port 4455] [--name fireblocks] [--block-ms 10000]

Prints BRIDGE_CUSTODY_PROVIDERS for \`npm start\`. The keys are those of the organization's multisig-secp256k1. Then, a line each:

  fund <units>                 gives the vault so much
  deposit <address> <units>    pays a transfer's funds in
  fate rejected|stalled|failed what becomes of the next payment
`;

const { values } = parseArgs({
  options: {
    signers: { type: 'string', default: '' },
    port: { type: 'string', default: '4455' },
    name: { type: 'string', default: 'fireblocks' },
    'block-ms': { type: 'string', default: '10000' },
    help: { type: 'boolean' },
  },
});
const signerKeys = values.signers.split(',');
if (values.help === true || signerKeys.length !== 5) {
  process.stdout.write(HELP);
  process.exit(values.help === true ? 0 : 2);
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const apiKey = randomUUID();
const server = await CustodyServer.start(Number(values.port));
const workspace = server.open({
  apiKey,
  publicKey,
  provider: values.name,
  signerKeys,
  account: '7',
  asset: 'BTC_TEST',
  decimals: 8,
  addressAt: (index) => ({ address: bitcoinAddress(index), tag: '' }),
  confirmations: 6,
  block_ms: Number(values['block-ms']),
  now: Date.now,
});
const providers = JSON.stringify({ [values.name]: { url: server.url, apiKey, privateKey } });
process.stdout.write(`export BRIDGE_CUSTODY_PROVIDERS='${providers}'\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const [command, first = '', second = ''] = line.trim().split(/\s+/);
  if (command === 'fund' && /^\d+$/.test(first)) workspace.fund(BigInt(first));
  else if (command === 'deposit' && /^\d+$/.test(second))
    workspace.deposit({ address: first, tag: null }, BigInt(second));
  else if (command === 'fate' && (first === 'rejected' || first === 'stalled' || first === 'failed'))
    workspace.fates.push(first);
  else process.stdout.write(HELP);
}
