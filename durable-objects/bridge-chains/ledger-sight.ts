import { findBridgeMovement, type WantedMovement } from '../../data/bridge/ledger-movements.ts';
import { findAssetBySymbol } from '../../data/catalog/assets.ts';
import { type Database, database } from '../../data/database.ts';
import { externalChain } from '../../domain/bridge/external-chain.ts';
import { ledgerMovement, movementNames } from '../../domain/bridge/ledger-movement.ts';
import type { LedgerSight } from '../../domain/bridge/signing/ledger-sight.ts';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import type { BridgePurpose } from '../../domain/ledger/bridge-movement-id.ts';
import { ledgerOf } from '../ledger/api.ts';

export interface LedgerSightEnv {
  readonly DB: D1Database;
  readonly LEDGER: { getByName(name: string): unknown };
}

/** The ledger as a signer in an object sees it: what has landed by D1, once that shows everything, and what must not land any more by the ledger itself. */
export function ledgerSight(env: LedgerSightEnv): LedgerSight {
  const db = database(env.DB);
  const isPaid = async (terms: TransferTerms): Promise<boolean> => {
    const { destination, amountOut } = terms;
    await isShown(env);
    if (destination.kind !== 'account') return false;
    const paid = await movementOf(db, terms, 'payout', await placeOf(db, terms, destination.account));
    return paid === Number(amountOut);
  };
  return {
    async debit(terms) {
      const { source } = terms;
      await isShown(env);
      if (source.kind !== 'account') return [];
      const of = await placeOf(db, terms, source.account);
      const debit = await movementOf(db, terms, 'debit', of);
      if (debit === null || debit >= 0 || (await movementOf(db, terms, 'refund', of)) !== null) return [];
      return [{ reference: terms.id, amount: String(-debit), confirmations: 1 }];
    },
    async voidPayout(terms) {
      const asset = await assetIdOf(db, terms);
      const { amountOut: amount, expiresAt: createdAt } = terms;
      // A transfer from before is paid under an id that names no terms.
      for (const namesTerms of [true, false]) {
        const gone = ledgerMovement(terms, { type: 'void', purpose: 'payout', amount, asset, createdAt, namesTerms });
        const outcome = await ledgerOf(env).transact(gone);
        // Something else than the payout stands under its id: it can be made no more.
        const isTaken = outcome.type === 'id_conflict' && !(await isPaid(terms));
        if (outcome.type === 'id_conflict' && !isTaken) return false;
        if (outcome.type !== 'done' && !isTaken)
          throw new Error(`the ledger does not take the payout away: ${outcome.type}`);
      }
      return true;
    },
    hasPaidOut: isPaid,
  };
}

/** @throws Error where D1 does not show all that the ledger has done */
async function isShown(env: LedgerSightEnv): Promise<void> {
  if (!(await ledgerOf(env).projected())) throw new Error('D1 is behind the ledger');
}

type MovedAt = Pick<WantedMovement, 'account' | 'asset' | 'vault'>;

async function placeOf(db: Database, terms: TransferTerms, account: string): Promise<MovedAt> {
  const { organization } = terms;
  return { account, asset: await assetIdOf(db, terms), vault: { organization, chain: externalChain(terms) } };
}

async function movementOf(
  db: Database,
  terms: TransferTerms,
  purpose: BridgePurpose,
  of: MovedAt,
): Promise<number | null> {
  for (const name of movementNames(terms, purpose)) {
    const amount = await findBridgeMovement(db, { ...of, ...name });
    if (amount !== null) return amount;
  }
  return null;
}

/** @throws Error where there is none */
async function assetIdOf(db: Database, { asset }: TransferTerms): Promise<string> {
  const found = await findAssetBySymbol(db, asset);
  if (found === null) throw new Error(`there is no ${asset}`);
  return found.id;
}
