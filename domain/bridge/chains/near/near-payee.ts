import { z } from 'zod';
import { answerOf } from '../accounts/answer-of.ts';
import { isHex32 } from '../accounts/reference-record.ts';
import type { PayeeFault } from '../payees/payee-fault.ts';

/** What is asked of the chain; each answers null where there is no such account, or its contract no such method. */
export interface NearAccounts {
  keysOf(account: string): Promise<unknown>;
  view(account: string, method: string): Promise<unknown>;
}

const Keys = z.object({ keys: z.array(z.object({ access_key: z.object({ permission: z.unknown() }) })) });
const Viewed = z.object({ result: z.array(z.int().min(0).max(255)) });
const Policy = z.object({ roles: z.array(z.unknown()).min(1), proposal_bond: z.string() });
const Members = z.array(z.unknown());
const Confirmations = z.int().positive();

/**
 * An account is paid that has a key with full access. Without one its contract decides: those are paid that say who spends there, which are DAOs (Sputnik), multisignatures, and lockups whose owner has such a key. Tokens are not.
 * An account that a key names comes with its first payment.
 */
export async function nearPayeeFault(accounts: NearAccounts, account: string): Promise<PayeeFault | null> {
  const answer = await accounts.keysOf(account);
  if (answer === null) return isHex32(account) ? null : 'missing';
  const { keys } = answerOf(Keys, answer, 'view_access_key_list');
  if (keys.some(isFull)) return null;
  const view = async (method: string) => readView(await accounts.view(account, method));
  if ((await view('ft_metadata')) !== null) return 'program';
  if (Policy.safeParse(await view('get_policy')).success) return null;
  const needed = Confirmations.safeParse(await view('get_num_confirmations'));
  if (needed.success) {
    const members = Members.safeParse(await view('get_members')).data ?? [];
    return Math.max(keys.length, members.length) >= needed.data ? null : 'locked';
  }
  const owner = await view('get_owner_account_id');
  if (typeof owner !== 'string' || owner === account) return 'program';
  const owned = Keys.safeParse(await accounts.keysOf(owner));
  return owned.success && owned.data.keys.some(isFull) ? null : 'program';
}

function isFull({ access_key: key }: z.infer<typeof Keys>['keys'][number]): boolean {
  return key.permission === 'FullAccess';
}

/** What a view returned, as JSON; null for nothing that can be read. */
function readView(answer: unknown): unknown {
  const { success, data } = Viewed.safeParse(answer);
  if (!success) return null;
  try {
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(data.result)));
  } catch {
    return null;
  }
}
