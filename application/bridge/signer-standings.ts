import { readSignerFaults, type SignerFaults } from '../../data/bridge/signer-faults.ts';
import { findBridgeOrganization } from '../../data/bridge/tenants.ts';
import { database } from '../../data/database.ts';
import type { StakeSeat } from '../../domain/bridge/signing/judge-word.ts';
import { chainsOf } from '../../durable-objects/bridge-chains/chains-of.ts';
import type { ChainCalls } from '../../protocol/bridge/chains-api.ts';
import { readSigners, type SignerSeen } from './key-ceremony.ts';

type StandingsEnv = Parameters<typeof readSigners>[0] & Pick<Env, 'CHAINS'>;

/** A signer of an organization, what stands behind its word, and what it was seen doing wrong. */
export interface SignerStanding extends SignerSeen {
  /** Its seat at the stake. Null while the chain does not answer, or where no stake is stated. */
  readonly seat: StakeSeat | null;
  /** Whether its own account was slashed. Null where that is not known now. */
  readonly isSlashed: boolean | null;
  readonly faults: SignerFaults;
}

/** The five signers of an organization, by number. Who does not answer is not known, and the others are. */
export async function readSignerStandings(env: StandingsEnv, organization: string): Promise<SignerStanding[]> {
  const db = database(env.DB);
  const chains = chainsOf(env);
  const stake = (await findBridgeOrganization(db, organization, Date.now()))?.stake ?? null;
  const [signers, seats] = await Promise.all([
    readSigners(env, organization),
    stake === null ? null : chains.seats(stake).catch(() => null),
  ]);
  return Promise.all(
    signers.map(async (seen) => ({
      ...seen,
      seat: seats?.[seen.signer] ?? null,
      isSlashed: await wasSlashed(chains, stake, seen.account),
      faults: await readSignerFaults(db, organization, seen.signer),
    })),
  );
}

async function wasSlashed(chains: ChainCalls, stake: string | null, account: string | null): Promise<boolean | null> {
  if (stake === null || account === null) return null;
  const bond = await chains.bond(stake, account).catch(() => null);
  return bond?.isSlashed ?? null;
}
