/**
 * `npm run contracts:deploy -- --rpc URL --admin 0x… --recorder 0x… [--admin-delay SECONDS]` deploys the registry by CREATE2, with the account of the private key in
 * DEPLOYER_KEY. `--all-dev` does so on three chains of its own, with the three chain ids, and stops them again.
 */
import { parseArgs } from 'node:util';
import { isAddress, isHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { anvilPath, devnetAccount, startDevnet } from './contracts/devnet.ts';
import { CHAINS, deployRegistry, type RegistryTerms } from './contracts/registry-deployment.ts';

const USAGE = `npm run contracts:deploy -- --rpc URL --admin 0x… --recorder 0x… [--admin-delay SECONDS]
  with the private key of the account that pays in DEPLOYER_KEY
npm run contracts:deploy -- --all-dev
`;
const DAY_S = 86_400;

const { values } = parseArgs({
  options: {
    rpc: { type: 'string' },
    admin: { type: 'string' },
    recorder: { type: 'string' },
    'admin-delay': { type: 'string', default: String(DAY_S) },
    'all-dev': { type: 'boolean', default: false },
  },
});

if (values['all-dev']) await deployEverywhere();
else await deployTo();

async function deployEverywhere(): Promise<void> {
  if (anvilPath() === null) {
    console.error(`there is no anvil for ${process.platform} on ${process.arch}`);
    process.exit(2);
  }
  const payer = devnetAccount(0);
  const terms = { admin: payer.address, recorder: devnetAccount(1).address, adminDelay: DAY_S };
  const addresses = new Set<string>();
  for (const [name, chainId] of Object.entries(CHAINS)) {
    const chain = await startDevnet({ chainId });
    try {
      const { address } = await deployRegistry(chain.url, payer, terms);
      addresses.add(address);
      console.log(`${name.padEnd(8)} chain ${chainId}  registry ${address}`);
    } finally {
      await chain.stop();
    }
  }
  if (addresses.size !== 1) {
    console.error('the addresses differ');
    process.exit(1);
  }
  console.log('the same address on all three');
}

async function deployTo(): Promise<void> {
  const { rpc, admin = '', recorder = '' } = values;
  const key = process.env.DEPLOYER_KEY ?? '';
  const adminDelay = Number(values['admin-delay']);
  const isWhole = Number.isInteger(adminDelay) && adminDelay >= 0;
  if (rpc === undefined || !isAddress(admin) || !isAddress(recorder) || !isHex(key) || key.length !== 66 || !isWhole) {
    process.stderr.write(USAGE);
    process.exit(2);
  }
  const terms: RegistryTerms = { admin, recorder, adminDelay };
  const { address, chainId, transaction } = await deployRegistry(rpc, privateKeyToAccount(key), terms);
  console.log(`chain ${chainId}  registry ${address}  ${transaction ?? 'was there already'}`);
}
