import { z } from 'zod';
import { answerOf } from '../accounts/answer-of.ts';
import type { ChainTransport } from '../chain-adapter.ts';
import type { PayeeFault } from '../payees/payee-fault.ts';
import { SYSTEM_PROGRAM } from './solana-programs.ts';

const Accounts = z.object({
  value: z.tuple([
    z
      .object({ data: z.tuple([z.string(), z.literal('base64')]), owner: z.string(), executable: z.boolean() })
      .nullable(),
  ]),
});

/** A wallet's account is the system program's and holds no data, or does not exist yet. Anything else is a program's, a mint's, a token account's or a sysvar's. */
export async function solanaPayeeFault(transport: ChainTransport, to: string): Promise<PayeeFault | null> {
  const answer = await transport.rpc('getMultipleAccounts', [[to], { encoding: 'base64', commitment: 'confirmed' }]);
  const [account] = answerOf(Accounts, answer, 'getMultipleAccounts').value;
  if (account === null) return null;
  const isWallet = account.owner === SYSTEM_PROGRAM && account.data[0] === '' && !account.executable;
  return isWallet ? null : 'program';
}
