import type { RouteDeclaration } from '../../middleware/access.ts';

/** For bearers alone, like every endpoint of the events service (E-AUT-01); of no permission in particular. */
export const ANY_BEARER: RouteDeclaration = { access: { credential: 'bearer' }, bucket: 'private' };
