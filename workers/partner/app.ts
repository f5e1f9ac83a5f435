import { createProfile } from '../middleware/profile.ts';
import { getComplianceRoute, rescreenRoute } from './investors/compliance-routes.ts';
import { createInvestorRoute } from './investors/create-investor-route.ts';
import { getInvestorRoute } from './investors/get-investor-route.ts';
import { listInvestorsRoute } from './investors/list-investors-route.ts';
import { openAccountRoute } from './investors/open-account-route.ts';
import { cancelOrderRoute } from './orders/cancel-order-route.ts';
import { placeOrderRoute } from './orders/place-order-route.ts';
import { getOrderRoute, listOrdersRoute } from './orders/read-order-routes.ts';
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

createInvestorRoute(partner);
listInvestorsRoute(partner);
getInvestorRoute(partner);
openAccountRoute(partner);
getComplianceRoute(partner);
rescreenRoute(partner);

placeOrderRoute(partner);
listOrdersRoute(partner);
getOrderRoute(partner);
cancelOrderRoute(partner);
