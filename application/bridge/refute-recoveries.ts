import { uuidv7 } from 'uuidv7';
import { type ContractVault, listContractVaults } from '../../data/bridge/tenants.ts';
import { database } from '../../data/database.ts';
import type { PaymentOrder, Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import { EXCHANGE_CHAIN } from '../../domain/bridge/chains/chain-name.ts';
import { type TransferTerms, termsCommitment } from '../../domain/bridge/transfer-terms.ts';
import { HOUR_MS } from '../../domain/calendar/durations.ts';
import { firstIdOf } from '../../domain/ids/created-at-of.ts';
import { ChainAway, chainsOf } from '../../durable-objects/bridge-chains/chains-of.ts';
import { clusterOf } from '../../durable-objects/bridge-chains/signing-cluster.ts';
import { log } from '../../durable-objects/log/log.ts';
import { signersOf } from '../../durable-objects/signer/api.ts';

/** Contracts that one run asks: others have their turn in the next. A recovery takes 30 days. */
const ASKED_MAX = 100;
/** Of a UUIDv7, those that say its time. */
const TIME_CHARACTERS = 13;

type RecoveryEnv = Pick<Env, 'DB' | 'CHAINS' | 'BRIDGE_SIGNER' | 'BRIDGE_SIGNERS' | 'BRIDGE_SIGNER_TOKEN'>;

/**
 * Looks for contracts whose admin has announced another key, and has the cluster refute that: by cancelling a reference that nobody uses. A cluster that has lost its key cannot, and the
 * recovery goes on.
 */
export async function refuteRecoveries(env: RecoveryEnv, now: number): Promise<void> {
  const vaults = await listContractVaults(database(env.DB), { turn: Math.floor(now / HOUR_MS), limit: ASKED_MAX, now });
  await Promise.all(vaults.map((vault) => lookAt(env, vault)));
}

async function lookAt(env: RecoveryEnv, vault: ContractVault) {
  const { organization, place } = vault;
  try {
    if (!(await chainsOf(env).isRecovering(place))) return;
    const hash = await refute(env, place, cancelledTerms(vault));
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

/** Terms of a transfer that never is: a cancellation pays nobody, whatever they say. It began when the contract held, so that signers sign for that. */
function cancelledTerms({ organization, origin, assetSymbol: asset, place, heldAt }: ContractVault): TransferTerms {
  const nobody = { kind: 'chain', address: '' } as const;
  return {
    id: firstIdOf(heldAt).slice(0, TIME_CHARACTERS) + uuidv7().slice(TIME_CHARACTERS),
    organization,
    asset,
    source: { ...nobody, chain: place.chain === EXCHANGE_CHAIN ? origin : EXCHANGE_CHAIN },
    destination: { ...nobody, chain: place.chain },
    amountIn: '1',
    amountOut: '1',
    amount: 1,
    fee: 0,
    expiresAt: heldAt,
  };
}
