import { findBridgeMovement } from '../../data/bridge/ledger-movements.ts';
import { findAssetBySymbol } from '../../data/catalog/assets.ts';
import { type Database, database } from '../../data/database.ts';
import { externalChain } from '../../domain/bridge/external-chain.ts';
import { ledgerMovement } from '../../domain/bridge/ledger-movement.ts';
import type { LedgerSight } from '../../domain/bridge/signing/ledger-sight.ts';
import { type TransferTerms, termsCommitment } from '../../domain/bridge/transfer-terms.ts';
import { bridgeMovementId } from '../../domain/ledger/bridge-movement-id.ts';
import { ledgerOf } from '../ledger/api.ts';

export interface LedgerSightEnv {
  readonly DB: D1Database;
  readonly LEDGER: { getByName(name: string): unknown };
}

/** The ledger as a signer in an object sees it: what has landed by D1, once that shows everything, and what must not land any more by the ledger itself. */
export function ledgerSight(env: LedgerSightEnv): LedgerSight {
  const db = database(env.DB);
  return {
    async debit(terms) {
      if (!(await ledgerOf(env).projected())) throw new Error('D1 is behind the ledger');
      const asset = await assetIdOf(db, terms);
      const { organization, source } = terms;
      if (source.kind !== 'account') return [];
      const of = { account: source.account, asset, vault: { organization, chain: externalChain(terms) } };
      const id = bridgeMovementId(terms.id, 'debit', termsCommitment(terms));
      // One from before has its transfer's id, which no debit that names its terms has.
      const debit =
        (await findBridgeMovement(db, { ...of, id })) ??
        (await findBridgeMovement(db, { ...of, id: bridgeMovementId(terms.id, 'debit') }));
      const refund = await findBridgeMovement(db, { ...of, id: bridgeMovementId(terms.id, 'refund') });
      if (debit === null || debit >= 0 || refund !== null) return [];
      return [{ reference: terms.id, amount: String(-debit), confirmations: 1 }];
    },
    async voidPayout(terms) {
      const asset = await assetIdOf(db, terms);
      const { amountOut: amount, expiresAt: createdAt } = terms;
      const gone = ledgerMovement(terms, { type: 'void', purpose: 'payout', amount, asset, createdAt });
      const outcome = await ledgerOf(env).transact(gone);
      if (outcome.type === 'done') return true;
      if (outcome.type === 'id_conflict') return false;
      throw new Error(`the ledger does not take the payout away: ${outcome.type}`);
    },
    async hasPaidOut(terms) {
      if (!(await ledgerOf(env).projected())) throw new Error('D1 is behind the ledger');
      const { organization, destination } = terms;
      if (destination.kind !== 'account') return false;
      const vault = { organization, chain: externalChain(terms) };
      const of = { account: destination.account, asset: await assetIdOf(db, terms), vault };
      const paid = await findBridgeMovement(db, { ...of, id: bridgeMovementId(terms.id, 'payout') });
      return paid !== null && paid > 0;
    },
  };
}

/** @throws Error where there is none */
async function assetIdOf(db: Database, { asset }: TransferTerms): Promise<string> {
  const found = await findAssetBySymbol(db, asset);
  if (found === null) throw new Error(`there is no ${asset}`);
  return found.id;
}
