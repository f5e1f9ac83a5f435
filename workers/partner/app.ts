import { createProfile } from '../middleware/profile.ts';
import { getSecurityRoute } from './securities/get-security-route.ts';
import { listSecuritiesRoute } from './securities/list-securities-route.ts';

/** Cross-listing operators and transfer agents (docs/design/partner.md). */
export const partner = createProfile({
  name: 'partner',
  title: 'Partner API',
  fieldNames: 'snake_case',
  description:
    'For organizations that list securities here, route their investors’ orders, or keep the register of holders as a transfer agent. Numbers are JSON numbers, timestamps ISO 8601.',
});

listSecuritiesRoute(partner);
getSecurityRoute(partner);
