import { z } from 'zod';
import { answerOf } from '../accounts/answer-of.ts';
import { isHex32 } from '../accounts/reference-record.ts';
import type { PayeeFault } from '../payees/payee-fault.ts';

const Keys = z.object({ keys: z.array(z.object({ access_key: z.object({ permission: z.unknown() }) })) });

/** @param answer to `view_access_key_list`; null where the node knows no such account. An account that a key names comes with its first payment */
export function nearAccountFault(account: string, answer: unknown): PayeeFault | null {
  if (answer === null) return isHex32(account) ? null : 'missing';
  const { keys } = answerOf(Keys, answer, 'view_access_key_list');
  return keys.some(({ access_key: key }) => key.permission === 'FullAccess') ? null : 'program';
}
