import { uuidv7 } from 'uuidv7';
import { type ContractVault, listContractVaults } from '../../data/bridge/tenants.ts';
import { database } from '../../data/database.ts';
import type { PaymentOrder, Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import { type ChainName, EXCHANGE_CHAIN } from '../../domain/bridge/chains/chain-name.ts';
import { type TransferTerms, termsCommitment } from '../../domain/bridge/transfer-terms.ts';
import { HOUR_MS } from '../../domain/calendar/durations.ts';
import { ChainAway, chainsOf } from '../../durable-objects/bridge-chains/chains-of.ts';
import { clusterOf } from '../../durable-objects/bridge-chains/signing-cluster.ts';
import { log } from '../../durable-objects/log/log.ts';
import { signersOf } from '../../durable-objects/signer/api.ts';

/** Contracts that one run asks: others have their turn in the next. A recovery takes 30 days. */
const ASKED_MAX = 100;

type RecoveryEnv = Pick<Env, 'DB' | 'CHAINS' | 'BRIDGE_SIGNER' | 'BRIDGE_SIGNERS' | 'BRIDGE_SIGNER_TOKEN'>;

/**
 * Looks for contracts whose admin has announced another key, and has the cluster refute that: by cancelling a reference that nobody uses. A cluster that has lost its key cannot, and the
 * recovery goes on.
 */
export async function refuteRecoveries(env: RecoveryEnv, now: number): Promise<void> {
  const vaults = await listContractVaults(database(env.DB), { turn: Math.floor(now / HOUR_MS), limit: ASKED_MAX, now });
  await Promise.all(vaults.map((vault) => lookAt(env, vault, now)));
}

async function lookAt(env: RecoveryEnv, { organization, origin, assetSymbol, place }: ContractVault, now: number) {
  try {
    if (!(await chainsOf(env).isRecovering(place))) return;
    const hash = await refute(env, place, cancelledTerms({ organization, origin, asset: assetSymbol, now }, place));
    log('warn', 'a recovery of a bridge contract was refuted', { organization, chain: place.chain, hash });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const reason = error instanceof ChainAway ? error.reason : said;
    log('warn', 'a bridge contract could not be looked at, or its recovery not refuted', { organization, reason });
  }
}

/** @returns the transaction's hash. @throws Error where three signers do not sign */
async function refute(env: RecoveryEnv, vault: Vault, terms: TransferTerms): Promise<string> {
  const chains = chainsOf(env);
  const cluster = clusterOf(chains, signersOf(env, terms.organization));
  const commitment = termsCommitment(terms);
  const unused = { kind: 'cancel', commitment, to: '', amount: '0' } as const;
  const reference = await chains.referenceFor(vault, { ...unused, attempt: 0 }, { taken: [], deposited: [] });
  if (reference === null) throw new Error('there is no reference');
  const payment: PaymentOrder = { ...unused, reference };
  const outcome = await cluster.sign({ terms, payment, side: 'destination', coSignature: null }, vault);
  if (!outcome.ok) throw new Error(outcome.reason);
  return chains.broadcast(vault, await chains.complete(vault, payment, outcome.signatures));
}

/** Terms of a transfer that never is: a cancellation pays nobody, whatever they say. */
function cancelledTerms(
  of: { readonly organization: string; readonly origin: ChainName; readonly asset: string; readonly now: number },
  { chain }: Vault,
): TransferTerms {
  const nobody = { kind: 'chain', address: '' } as const;
  const { organization, asset, origin, now } = of;
  return {
    id: uuidv7(),
    organization,
    asset,
    source: { ...nobody, chain: chain === EXCHANGE_CHAIN ? origin : EXCHANGE_CHAIN },
    destination: { ...nobody, chain },
    amountIn: '1',
    amountOut: '1',
    amount: 1,
    fee: 0,
    expiresAt: now,
  };
}
