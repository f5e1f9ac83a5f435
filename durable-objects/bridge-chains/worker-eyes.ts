import { EXCHANGE_CHAIN } from '../../domain/bridge/chains/chain-name.ts';
import { evmChainId } from '../../domain/bridge/chains/evm/evm-chains.ts';
import { requirePayee } from '../../domain/bridge/chains/payees/require-payee.ts';
import { externalChain } from '../../domain/bridge/external-chain.ts';
import { laneOf } from '../../domain/bridge/lane.ts';
import { isCoSignature } from '../../domain/bridge/signing/co-signature.ts';
import { shownBy } from '../../domain/bridge/signing/shown-by.ts';
import type { SignerEyes } from '../../domain/bridge/signing/signer-eyes.ts';
import { type TransferTerms, termsCommitment } from '../../domain/bridge/transfer-terms.ts';
import { chainsOf } from './chains-of.ts';
import type { SignerPlaces } from './kept-places.ts';
import { type LedgerSightEnv, ledgerSight } from './ledger-sight.ts';

interface EyesEnv extends LedgerSightEnv {
  readonly CHAINS: unknown;
  /** Public key of the hardware module, compressed, in hexadecimal; empty for none. */
  readonly BRIDGE_HARDWARE_KEY: string;
}

/** How a signer in an object sees: chains by the Worker of the chains, at the places that it knows, and the ledger. */
export function workerEyes(env: EyesEnv, places: SignerPlaces): SignerEyes {
  const chains = chainsOf(env);
  const ledger = ledgerSight(env);
  const vaultAt = async (terms: TransferTerms, side: 'source' | 'destination') =>
    (await places.vaultOf(terms, side)).vault;
  return {
    async places(terms) {
      const at = async (side: 'source' | 'destination') =>
        terms[side].kind === 'account' ? null : places.vaultOf(terms, side);
      const [source, destination] = [await at('source'), await at('destination')];
      const settings = await places.settingsOf(terms);
      const { guard, lanes = [] } = settings;
      const least = lanes.find(({ origin, asset }) => origin === externalChain(terms) && asset === terms.asset);
      const scale = (source ?? destination)?.scale ?? 0;
      if (destination !== null && destination.scale !== scale) throw new Error('the sides are of two assets');
      const isOutlived = [source, destination, settings].some((held) => held?.isOutlived === true);
      const sides = { source: source?.vault ?? null, destination: destination?.vault ?? null };
      return { ...sides, guard, scale, least, ...(isOutlived ? { isOutlived } : {}) };
    },
    async funds(terms, from, known = []) {
      const { source } = terms;
      if (source.kind === 'account') return ledger.debit(terms);
      return chains.deposits(await vaultAt(terms, 'source'), termsCommitment(terms), from ?? source.address, known);
    },
    sweepable: async (terms) => chains.sweepable(await vaultAt(terms, 'source'), termsCommitment(terms)),
    voidPayout: (terms) => ledger.voidPayout(terms),
    hasPaidOut: (terms) => ledger.hasPaidOut(terms),
    async confirmationsNeeded(terms, side) {
      if (terms[side].kind === 'account') return 1;
      const { chain, network } = await vaultAt(terms, side);
      return chains.confirmationsNeeded(chain, network);
    },
    status: async (terms, side, payment) => chains.statusOf(await vaultAt(terms, side), payment),
    payeeMemoFault: async (terms, side, { to: address, memo }) =>
      chains.payeeMemoFault(await vaultAt(terms, side), { address, memo }),
    checkReference: async (terms, side, payment) => chains.checkReference(await vaultAt(terms, side), payment),
    isRecovering: async (terms, side) => chains.isRecovering(await vaultAt(terms, side)),
    async clearance(terms) {
      const { guard } = await places.settingsOf(terms);
      const lane = laneOf(externalChain(terms), terms.asset);
      return chains.clearance({ address: guard, lane }, termsCommitment(terms));
    },
    async announced(terms) {
      const { guard } = await places.settingsOf(terms);
      return chains.announced({ address: guard }, termsCommitment(terms));
    },
    async shownFor(terms, transaction) {
      const { guard } = await places.settingsOf(terms);
      return shownBy(chains, [guard, ...(await places.guardsOf(terms))], transaction);
    },
    async build(terms, side, payment) {
      await requirePayee(chains, await vaultAt(terms, side), payment);
      return chains.build(await vaultAt(terms, side), payment);
    },
    vaultKeys: async (terms, side) => chains.keysInForce(await vaultAt(terms, side)),
    async stake(terms) {
      const { stake } = await places.settingsOf(terms);
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
      const from = (await places.settingsOf(terms)).coSignFrom[terms.asset];
      return from !== undefined && terms.amount >= from;
    },
  };
}
