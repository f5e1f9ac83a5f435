import { rolesGrant } from '../../application/identity/roles-grant.ts';
import { type AppContext, principalOf } from '../middleware/app-env.ts';

/** Whether the caller is told the names and addresses of attendees. */
export async function mayReadAttendees(c: AppContext): Promise<boolean> {
  return rolesGrant(c.env, principalOf(c).roles, 'attendees:read');
}
