import { listVaultChains } from '../../data/bridge/tenants.ts';
import { database } from '../../data/database.ts';
import { ChainAway, chainsOf } from '../../durable-objects/bridge-chains/chains-of.ts';
import { log } from '../../durable-objects/log/log.ts';

/** Payments that the relayer's account should always have the coin for: a busy day's, until somebody fills it. */
const WARNED_BELOW_PAYMENTS = 500;

/** Tells operators where the relayer's coin is about to run out: without it, every payment of that chain waits. */
export async function watchRelayer(env: Pick<Env, 'DB' | 'CHAINS'>): Promise<void> {
  const chains = await listVaultChains(database(env.DB));
  await Promise.all(
    chains.map(async (chain) => {
      try {
        const room = await chainsOf(env).relayerRoom(chain);
        if (room === null || room.payments >= WARNED_BELOW_PAYMENTS) return;
        const { address, balance, payments } = room;
        log('warn', 'operator_alert', { outcome: 'runs_dry', chain, account: address, balance, payments });
      } catch (error) {
        const reason = error instanceof ChainAway ? error.reason : String(error);
        log('warn', 'the relayer of a chain could not be looked at', { chain, reason });
      }
    }),
  );
}
