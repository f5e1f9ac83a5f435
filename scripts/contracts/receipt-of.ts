import { type Hex, type PublicActions, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem';

const POLLING_MS = 20;
const WAIT_MS_MAX = 180_000;

/**
 * Waits until a transaction is in a block. The library's own wait looks once a block: where a node names a block before it has its receipts, that waits for the next
 * block, which a chain that mines on demand may never make.
 *
 * @throws Error where it is in no block within three minutes
 */
export async function receiptOf(
  client: Pick<PublicActions, 'getTransactionReceipt'>,
  hash: Hex,
): Promise<TransactionReceipt> {
  for (let waited = 0; waited < WAIT_MS_MAX; waited += POLLING_MS) {
    try {
      return await client.getTransactionReceipt({ hash });
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, POLLING_MS));
  }
  throw new Error(`transaction ${hash} is in no block`);
}
