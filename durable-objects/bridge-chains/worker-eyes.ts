import { type BridgeVaultRow, findBridgeOrganization, findVault } from '../../data/bridge/tenants.ts';
import { type Database, database } from '../../data/database.ts';
import { EXCHANGE_CHAIN } from '../../domain/bridge/chains/chain-name.ts';
import { evmChainId } from '../../domain/bridge/chains/evm/evm-chains.ts';
import { externalChain } from '../../domain/bridge/external-chain.ts';
import { laneOf } from '../../domain/bridge/lane.ts';
import { isCoSignature } from '../../domain/bridge/signing/co-signature.ts';
import type { SignerEyes } from '../../domain/bridge/signing/signer-eyes.ts';
import { type TransferTerms, termsCommitment } from '../../domain/bridge/transfer-terms.ts';
import { chainsOf } from './chains-of.ts';
import { assetIdOf, type LedgerSightEnv, ledgerSight } from './ledger-sight.ts';

type Side = 'source' | 'destination';

interface EyesEnv extends LedgerSightEnv {
  readonly CHAINS: unknown;
  /** Public key of the hardware module, compressed, in hexadecimal; empty for none. */
  readonly BRIDGE_HARDWARE_KEY: string;
}

/** How a signer in an object sees: chains by the Worker of the chains, its organization's places by D1, and the ledger. */
export function workerEyes(env: EyesEnv): SignerEyes {
  const db = database(env.DB);
  const chains = chainsOf(env);
  const ledger = ledgerSight(env);
  const vaultAt = async (terms: TransferTerms, side: Side) => (await vaultRow(db, terms, side)).place;
  return {
    async funds(terms) {
      if (terms.source.kind === 'account') return ledger.debit(terms);
      return chains.deposits(await vaultAt(terms, 'source'), termsCommitment(terms), terms.source.address);
    },
    voidPayout: (terms) => ledger.voidPayout(terms),
    async confirmationsNeeded(terms, side) {
      if (terms[side].kind === 'account') return 1;
      const { chain, network } = await vaultAt(terms, side);
      return chains.confirmationsNeeded(chain, network);
    },
    status: async (terms, side, payment) => chains.statusOf(await vaultAt(terms, side), payment),
    async clearance(terms) {
      const { guard } = await settingsOf(db, terms);
      const lane = laneOf(externalChain(terms), terms.asset);
      return chains.clearance({ address: guard, lane }, termsCommitment(terms));
    },
    async announced(terms) {
      const { guard } = await settingsOf(db, terms);
      return chains.announced({ address: guard }, termsCommitment(terms));
    },
    build: async (terms, side, payment) => chains.build(await vaultAt(terms, side), payment),
    vaultKeys: async (terms, side) => (await vaultAt(terms, side)).keys,
    async stake(terms) {
      const { stake } = await settingsOf(db, terms);
      const external =
        terms.source.kind === 'chain' && terms.source.chain !== EXCHANGE_CHAIN ? 'source' : 'destination';
      const { network } = await vaultAt(terms, external);
      const isBurn = terms.source.kind === 'chain' && terms.source.chain === EXCHANGE_CHAIN;
      const wrapped = isBurn ? (await vaultAt(terms, 'source')).contract : null;
      return { chainId: evmChainId(EXCHANGE_CHAIN, network), stake, wrapped };
    },
    isCoSigned: async (terms, coSignature) =>
      env.BRIDGE_HARDWARE_KEY !== '' && isCoSignature([env.BRIDGE_HARDWARE_KEY], terms, coSignature),
    async needsCoSignature(terms) {
      const from = (await settingsOf(db, terms)).coSignFrom[terms.asset];
      return from !== undefined && terms.amount >= from;
    },
  };
}

async function vaultRow(db: Database, terms: TransferTerms, side: Side): Promise<BridgeVaultRow> {
  const place = terms[side];
  if (place.kind === 'account') throw new Error('an account is on no chain');
  const { organization } = terms;
  const asset = await assetIdOf(db, terms);
  const vault = await findVault(db, { organization, origin: externalChain(terms), asset, chain: place.chain });
  if (vault === null) throw new Error(`the organization has no ${terms.asset} on ${place.chain}`);
  return vault;
}

async function settingsOf(db: Database, { organization }: TransferTerms) {
  const settings = await findBridgeOrganization(db, organization);
  if (settings === null) throw new Error('the organization has set nothing');
  return settings;
}
