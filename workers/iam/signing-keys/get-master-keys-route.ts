import { createRoute, z } from '@hono/zod-openapi';
import { readMasterKeys } from '../../../application/keys/read-master-keys.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';

const MasterKeys = z.object({
  secrets: z.array(
    z.object({
      /** Name of the Worker's secret that states the keys. */
      secret: z.string(),
      /** Ids of the keys, the newest first: it seals, and all open. */
      stated: z.array(z.string()),
      /** How much each key has sealed. `id` null: before keys had ids. */
      sealed: z.array(z.object({ id: z.string().nullable(), count: z.int() })),
    }),
  ),
});

/** Which master keys have sealed what: an older one is taken back once nothing is left that it has sealed. */
export function getMasterKeysRoute(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer', power: 'rotate_signing_keys' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/master-keys',
      summary: 'Ids of the master keys, and how much each has sealed',
      responses: { 200: envelopeOf('Ids and counts; never a key', MasterKeys) },
    }),
    async (c) => {
      const uses = await readMasterKeys(c.env);
      const secrets = uses.map(({ secret, stated, sealed }) => ({ secret, stated: [...stated], sealed: [...sealed] }));
      return c.json(enveloped({ secrets }), 200);
    },
  );
}
