import { findShownTransfer } from '../../data/bridge/transfers.ts';
import { database } from '../../data/database.ts';
import { bridgeTransferOf, type TransferView } from '../../durable-objects/transfer/api.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { askAgain } from '../objects/ask-again.ts';

type BridgeEnv = Pick<Env, 'DB' | 'BRIDGE_TRANSFER'>;

/** A transfer of the organization; another's is not there. The object is asked, so that one of a moment ago is found. */
export async function readTransfer(env: BridgeEnv, organization: string, id: string): Promise<TransferView | null> {
  const view = await askAgain(() => bridgeTransferOf(env, id).view());
  return view?.terms.organization === organization ? view : null;
}

/**
 * Goes on with a transfer where its conditions hold, whoever asks. D1 is asked first, so that strangers do not make objects by asking for ids.
 */
export async function pushTransfer(env: BridgeEnv, organizationAt: string, id: string): Promise<TransferView | null> {
  const shown = await findShownTransfer(database(env.DB), organizationAt, id);
  return shown === null ? null : askAgain(() => bridgeTransferOf(env, id).push());
}

export function noSuchTransfer(): ApiError {
  return apiError('NOT_FOUND', 'no such transfer');
}
