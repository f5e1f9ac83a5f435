import { z } from 'zod';
import { answerOf } from '../accounts/answer-of.ts';
import type { Vault } from '../chain-adapter.ts';
import type { PayeeFault } from '../payees/payee-fault.ts';
import { xrplRecipient } from './xrpl-address.ts';

/** `lsfDisableMaster` of an account's flags. */
const MASTER_DISABLED = 0x0010_0000;

const Account = z.object({
  account_data: z.object({
    Flags: z.int().nonnegative().default(0),
    RegularKey: z.string().optional(),
    /** Accounts that the ledger itself has for pools, vaults and brokers (XLS-30, XLS-65, XLS-66). */
    AMMID: z.string().optional(),
    VaultID: z.string().optional(),
    LoanBrokerID: z.string().optional(),
    signer_lists: z.array(z.unknown()).optional(),
  }),
  signer_lists: z.array(z.unknown()).optional(),
});

/** By what the ledger says of the account: one whose master key is off needs a regular key that somebody has, or signers. */
export function xrplAccountFault(answer: unknown, network: Vault['network']): PayeeFault | null {
  const { account_data: account, signer_lists: outside } = answerOf(Account, answer, 'account_info');
  if ([account.AMMID, account.VaultID, account.LoanBrokerID].some((id) => id !== undefined)) return 'program';
  if ((account.Flags & MASTER_DISABLED) === 0) return null;
  const signers = outside ?? account.signer_lists ?? [];
  const hasKey = account.RegularKey !== undefined && xrplRecipient(account.RegularKey, network) !== null;
  return hasKey || signers.length > 0 ? null : 'locked';
}
