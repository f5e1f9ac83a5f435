import type { FrameSender } from '../../../application/events/frames/open-camera.ts';
import { rolesGrant } from '../../../application/identity/roles-grant.ts';
import { type AppContext, principalOf } from '../../middleware/app-env.ts';
import { mayReadAttendees } from '../may-read-attendees.ts';
import { tenancyOf } from '../tenancy.ts';

export async function senderOf(c: AppContext): Promise<FrameSender> {
  const { userId, roles } = principalOf(c);
  const { tenant } = tenancyOf(c);
  const [isToldNames, mayBindCameras] = await Promise.all([
    mayReadAttendees(c),
    rolesGrant(c.env, roles, 'cameras:write'),
  ]);
  return { tenant, userId, mayReadAttendees: isToldNames, mayBindCameras };
}
