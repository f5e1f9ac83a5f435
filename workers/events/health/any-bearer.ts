import type { RouteDeclaration } from '../../middleware/access.ts';

/** Like every endpoint of events.md, for bearers alone; of no permission in particular. */
export const ANY_BEARER: RouteDeclaration = { access: { credential: 'bearer' }, bucket: 'private' };
