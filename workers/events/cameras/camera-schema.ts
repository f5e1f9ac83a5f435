import { z } from '@hono/zod-openapi';
import { sourcesOf } from '../../../application/events/sites/create-camera.ts';
import { rolesGrant } from '../../../application/identity/roles-grant.ts';
import type { CameraRow } from '../../../data/events/sites/cameras.ts';
import { CAMERA_TYPES } from '../../../domain/events/camera-type.ts';
import { withoutCredentials } from '../../../domain/events/stream-address.ts';
import { type AppContext, principalOf } from '../../middleware/app-env.ts';
import { isoTime } from '../../responses/wire.ts';
import { MatchRuleRecord, matchRuleView } from '../match-rule-schema.ts';

export const CameraRecord = z
  .object({
    id: z.string(),
    event_id: z.string(),
    room_id: z.string(),
    name: z.string(),
    type: z.enum(CAMERA_TYPES),
    source: z.string().openapi({ description: 'Without its credentials for those who may not create cameras.' }),
    match_rule: MatchRuleRecord,
    created_at: z.iso.datetime(),
  })
  .openapi('Camera');

/** The cameras as this caller may see them. */
export async function cameraViews(c: AppContext, rows: readonly CameraRow[]): Promise<z.infer<typeof CameraRecord>[]> {
  const shown = (await rolesGrant(c.env, principalOf(c).roles, 'cameras:write'))
    ? (source: string) => source
    : withoutCredentials;
  const sources = await sourcesOf(c.env, rows);
  return rows.map((row) => ({
    id: row.id,
    event_id: row.eventId,
    room_id: row.roomId,
    name: row.name,
    type: row.type,
    source: shown(sources.get(row.id) ?? ''),
    match_rule: matchRuleView(row),
    created_at: isoTime(row.createdAt),
  }));
}
