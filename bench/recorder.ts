/**
 * `npm run bench:recorder`: settlements a second that the recorder's client brings into the registry on a devnet which makes a block for each transaction, and gas a
 * settlement, by size of the batch. The floor is the same client sending as many plain transfers of ether, one after another, by turns.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createWalletClient, http, publicActions } from 'viem';
import { WritableRegistry } from '../durable-objects/chain/registry-client.ts';
import { devnetAccount, startDevnet } from '../scripts/contracts/devnet.ts';
import { CHAINS, deployRegistry } from '../scripts/contracts/registry-deployment.ts';
import { median, printReport } from './report.ts';
import { sized } from './smoke.ts';

const SIZES = sized([1, 10, 50, 100, 200], [1, 10]);
/** Settlements of a transaction that the ratio is told for. */
const RATIO_SIZE = sized(100, 10);
const ROUNDS = sized(3, 1);
const TRANSACTIONS = sized(10, 2);
const POLL_MS = 2;
/** The second account of the devnet, as wrangler.toml has it. */
const RECORDER_KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';

const chain = await startDevnet({ chainId: CHAINS.devnet });
const [admin, recorder, payer] = [0, 1, 2].map(devnetAccount);
if (admin === undefined || recorder === undefined || payer === undefined) throw new Error('three accounts');

try {
  const terms = { admin: admin.address, recorder: recorder.address, adminDelay: 60 };
  const { address } = await deployRegistry(chain.url, admin, terms);
  const registry = new WritableRegistry(chain.url, address, RECORDER_KEY);
  const wallet = createWalletClient({ account: payer, transport: http(chain.url) }).extend(publicActions);

  /** Settlements a second, and gas each. */
  const record = async (size: number): Promise<{ rate: number; gas: number }> => {
    const batches = Array.from({ length: TRANSACTIONS }, () =>
      Array.from({ length: size }, () => {
        const tradeId = randomUUID();
        return { tradeId, hash: createHash('sha256').update(tradeId).digest('hex') };
      }),
    );
    const started = performance.now();
    let nonce = await registry.nonce();
    const sent: `0x${string}`[] = [];
    for (const batch of batches) {
      const signed = await registry.sign({ functionName: 'record', entries: batch }, nonce, await registry.gasPrice());
      await registry.broadcast(signed);
      sent.push(signed.hash);
      nonce += 1;
    }
    for (const hash of sent) {
      let inclusion = await registry.inclusion(hash);
      while (inclusion === null) {
        await wait(POLL_MS);
        inclusion = await registry.inclusion(hash);
      }
      if (inclusion.recorded.length !== size) throw new Error(`${hash} has not recorded its ${size}`);
    }
    const seconds = (performance.now() - started) / 1_000;
    const [last] = sent.slice(-1);
    const { gasUsed } = await wallet.getTransactionReceipt({ hash: last ?? '0x' });
    return { rate: (size * TRANSACTIONS) / seconds, gas: Number(gasUsed) / size };
  };

  /** Plain transfers a second, each waited for. */
  const transfer = async (): Promise<number> => {
    const started = performance.now();
    for (let count = 0; count < TRANSACTIONS; count++) {
      const hash = await wallet.sendTransaction({ chain: null, to: admin.address, value: 1n });
      while ((await registry.inclusion(hash)) === null) await wait(POLL_MS);
    }
    return (TRANSACTIONS * 1_000) / (performance.now() - started);
  };

  await record(10);
  await transfer();
  const rates = new Map<number, number[]>(SIZES.map((size) => [size, []]));
  const gas = new Map<number, number>();
  const transfers: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    transfers.push(await transfer());
    for (const size of SIZES) {
      const made = await record(size);
      rates.get(size)?.push(made.rate);
      gas.set(size, Math.round(made.gas));
    }
  }
  const floor = median(transfers);
  const rateOf = (size: number) => median(rates.get(size) ?? []);
  printReport({
    bench: 'recorder',
    ratio: rateOf(RATIO_SIZE) / floor,
    table: SIZES.map((size) => ({
      'settlements a transaction': size,
      'settlements/s': rateOf(size),
      'times the plain transfers': rateOf(size) / floor,
      'gas a settlement': gas.get(size) ?? 0,
    })),
    figures: {
      transfers_per_s: Math.round(floor),
      settlements_per_s: Object.fromEntries(SIZES.map((size) => [size, Math.round(rateOf(size))])),
      gas_per_settlement: Object.fromEntries(gas),
    },
  });
} finally {
  await chain.stop();
}
