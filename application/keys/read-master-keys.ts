import { database } from '../../data/database.ts';
import { countTenantKeys } from '../../data/events/keys/r2-scope-keys.ts';
import { masterKeysOf } from '../../data/keys/master-keys.ts';
import { countSealed, SEALED_TABLES } from '../../data/keys/sealed-tables.ts';
import { countPersonKeys } from '../../data/onboarding/person-keys.ts';
import type { MasterKeyEnv } from './reseal-secrets.ts';

/** A secret of the Worker that states master keys. */
export interface MasterKeyUse {
  readonly secret: keyof Omit<MasterKeyEnv, 'DB' | 'EVENT_KEYS' | 'IDENTITY_KEYS'>;
  /** Ids of the keys that it states, the newest first. */
  readonly stated: readonly string[];
  /** How much each key has sealed; `id` null for what was sealed before keys had ids. A key that is not stated opens nothing. */
  readonly sealed: readonly { readonly id: string | null; readonly count: number }[];
}

const SECRETS = ['API_KEY_MASTER_KEY', 'IAM_KEY_ENCRYPTION_KEY', 'EVENTS_MASTER_KEY', 'IDENTITY_MASTER_KEYS'] as const;

/** Which keys are in use: an older one may be taken back once it has sealed nothing that is left (docs/design/keys.md). */
export async function readMasterKeys(env: MasterKeyEnv): Promise<MasterKeyUse[]> {
  const db = database(env.DB);
  return Promise.all(
    SECRETS.map(async (secret) => {
      const counted = SEALED_TABLES.filter(({ under }) => under === secret).map((sealed) => countSealed(db, sealed));
      if (secret === 'EVENTS_MASTER_KEY') counted.push(countTenantKeys(env.EVENT_KEYS));
      if (secret === 'IDENTITY_MASTER_KEYS') counted.push(countPersonKeys(env.IDENTITY_KEYS));
      const sums = new Map<string, number>();
      for (const counts of await Promise.all(counted))
        for (const [id, count] of counts) sums.set(id, (sums.get(id) ?? 0) + count);
      const stated = (await masterKeysOf(env[secret])).map(({ id }) => id);
      return { secret, stated, sealed: [...sums].map(([id, count]) => ({ id: id === '' ? null : id, count })) };
    }),
  );
}
