import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { chosen, oneOf, path, text } from './address.ts';
import { ApiProblem } from './api/api-problem.ts';
import { BrokenPage } from './frame/broken-page.tsx';
import { Frame } from './frame/frame.tsx';
import { MissingPage } from './frame/missing-page.tsx';
import { PlainFrame } from './frame/plain-frame.tsx';
import { deskRoutes } from './operator/desk-routes.tsx';
import { ROLES } from './operator/people/role-words.ts';
import { sessionQuery } from './session/session.ts';

interface Context {
  readonly queries: QueryClient;
}

const root = createRootRouteWithContext<Context>()({ notFoundComponent: MissingPage, errorComponent: BrokenPage });

/** Pages for anybody. */
const open = createRoute({ getParentRoute: () => root, id: 'open', component: PlainFrame });

/** Pages of a session: without one they lead to its start, and back. */
const own = createRoute({
  getParentRoute: () => root,
  id: 'own',
  component: Frame,
  beforeLoad: async ({ context, location }) => {
    try {
      await context.queries.ensureQueryData(sessionQuery);
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 401) {
        throw redirect({ to: '/sign-in', search: { return_to: location.href } });
      }
      throw error;
    }
  },
});

/** Pages of those who run the venue: its frame asks who looks. */
const venue = createRoute({
  getParentRoute: () => own,
  id: 'venue',
  component: lazyRouteComponent(() => import('./operator/operator-frame.tsx'), 'OperatorFrame'),
});

const page = {
  home: createRoute({
    getParentRoute: () => own,
    path: path('/'),
    component: lazyRouteComponent(() => import('./home/home-page.tsx'), 'HomePage'),
  }),
  signIn: createRoute({
    getParentRoute: () => open,
    path: path('/sign-in'),
    validateSearch: (search: Record<string, unknown>) =>
      chosen({
        return_to: text(search.return_to),
        ended: oneOf(['idle'], search.ended),
        problem: text(search.problem),
      }),
    component: lazyRouteComponent(() => import('./session/sign-in-page.tsx'), 'SignInPage'),
  }),
  signedOut: createRoute({
    getParentRoute: () => open,
    path: path('/signed-out'),
    component: lazyRouteComponent(() => import('./session/signed-out-page.tsx'), 'SignedOutPage'),
  }),
  about: createRoute({
    getParentRoute: () => open,
    path: path('/about'),
    component: lazyRouteComponent(() => import('./about/about-page.tsx'), 'AboutPage'),
  }),
  markets: createRoute({
    getParentRoute: () => own,
    path: path('/markets'),
    validateSearch: (search: Record<string, unknown>) =>
      chosen({
        rail: text(search.rail),
        category: text(search.category),
        search: text(search.search),
        only: oneOf(['watched', 'held', 'tradeable'], search.only),
        sort: oneOf(['symbol', 'name', 'price', 'change'], search.sort),
        order: oneOf(['asc', 'desc'], search.order),
      }),
    component: lazyRouteComponent(() => import('./markets/markets-page.tsx'), 'MarketsPage'),
  }),
  asset: createRoute({
    getParentRoute: () => own,
    path: path('/assets/$assetId'),
    validateSearch: (search: Record<string, unknown>) =>
      chosen({
        market: text(search.market),
        side: oneOf(['buy', 'sell'], search.side),
        interval: oneOf(['1m', '5m', '15m', '1h', '1d'], search.interval),
      }),
    component: lazyRouteComponent(() => import('./asset/asset-page.tsx'), 'AssetPage'),
  }),
  orders: createRoute({
    getParentRoute: () => own,
    path: path('/orders'),
    validateSearch: (search: Record<string, unknown>) =>
      chosen({
        tab: oneOf(['open', 'done', 'refused'], search.tab),
        symbol: text(search.symbol),
        side: oneOf(['buy', 'sell'], search.side),
      }),
    component: lazyRouteComponent(() => import('./orders/orders-page.tsx'), 'OrdersPage'),
  }),
  order: createRoute({
    getParentRoute: () => own,
    path: path('/orders/$orderId'),
    component: lazyRouteComponent(() => import('./orders/order-page.tsx'), 'OrderPage'),
  }),
  fills: createRoute({
    getParentRoute: () => own,
    path: path('/fills'),
    validateSearch: (search: Record<string, unknown>) =>
      chosen({ symbol: text(search.symbol), side: oneOf(['buy', 'sell'], search.side) }),
    component: lazyRouteComponent(() => import('./orders/fills-page.tsx'), 'FillsPage'),
  }),
  positions: createRoute({
    getParentRoute: () => own,
    path: path('/positions'),
    component: lazyRouteComponent(() => import('./positions/positions-page.tsx'), 'PositionsPage'),
  }),
  position: createRoute({
    getParentRoute: () => own,
    path: path('/positions/$assetId'),
    component: lazyRouteComponent(() => import('./positions/position-page.tsx'), 'PositionPage'),
  }),
  account: createRoute({
    getParentRoute: () => own,
    path: path('/account'),
    component: lazyRouteComponent(() => import('./account/account-page.tsx'), 'AccountPage'),
  }),
  keys: createRoute({
    getParentRoute: () => own,
    path: path('/account/keys'),
    component: lazyRouteComponent(() => import('./account/keys-page.tsx'), 'KeysPage'),
  }),
  transactions: createRoute({
    getParentRoute: () => own,
    path: path('/account/transactions'),
    validateSearch: (search: Record<string, unknown>) =>
      chosen({ type: oneOf(['deposit', 'withdrawal', 'trade'], search.type) }),
    component: lazyRouteComponent(() => import('./account/transactions-page.tsx'), 'TransactionsPage'),
  }),
  statements: createRoute({
    getParentRoute: () => own,
    path: path('/account/statements'),
    component: lazyRouteComponent(() => import('./account/statements-page.tsx'), 'StatementsPage'),
  }),
  statement: createRoute({
    getParentRoute: () => own,
    path: path('/account/statements/$month'),
    component: lazyRouteComponent(() => import('./account/statement-page.tsx'), 'StatementPage'),
  }),
  gains: createRoute({
    getParentRoute: () => own,
    path: path('/account/gains'),
    validateSearch: (search: Record<string, unknown>) => chosen({ year: text(search.year?.toString()) }),
    component: lazyRouteComponent(() => import('./account/gains-page.tsx'), 'GainsPage'),
  }),
  fees: createRoute({
    getParentRoute: () => own,
    path: path('/account/fees'),
    component: lazyRouteComponent(() => import('./account/fees-page.tsx'), 'FeesPage'),
  }),
  money: createRoute({
    getParentRoute: () => own,
    path: path('/account/money'),
    validateSearch: (search: Record<string, unknown>) => chosen({ ask: oneOf(['deposit', 'withdrawal'], search.ask) }),
    component: lazyRouteComponent(() => import('./money/money-page.tsx'), 'MoneyPage'),
  }),
  payRequest: createRoute({
    getParentRoute: () => own,
    path: path('/account/money/$requestId'),
    component: lazyRouteComponent(() => import('./money/request-page.tsx'), 'RequestPage'),
  }),
  accreditation: createRoute({
    getParentRoute: () => own,
    path: path('/account/accreditation'),
    component: lazyRouteComponent(() => import('./accreditation/accreditation-page.tsx'), 'AccreditationPage'),
  }),
  status: createRoute({
    getParentRoute: () => open,
    path: path('/status'),
    component: lazyRouteComponent(() => import('./status/status-page.tsx'), 'StatusPage'),
  }),
  confirmation: createRoute({
    getParentRoute: () => own,
    path: path('/confirmations/$tradeId'),
    component: lazyRouteComponent(() => import('./account/confirmation-page.tsx'), 'ConfirmationPage'),
  }),
};

const venuePage = {
  home: createRoute({
    getParentRoute: () => venue,
    path: path('/operator'),
    component: lazyRouteComponent(() => import('./operator/operator-home.tsx'), 'OperatorHome'),
  }),
  markets: createRoute({
    getParentRoute: () => venue,
    path: path('/operator/markets'),
    validateSearch: (search: Record<string, unknown>) =>
      chosen({
        search: text(search.search),
        status: oneOf(['open', 'halted', 'closed'], search.status),
        route: oneOf(['internal', 'broker', 'prime', 'indication'], search.route),
      }),
    component: lazyRouteComponent(() => import('./operator/markets-page.tsx'), 'VenueMarketsPage'),
  }),
  market: createRoute({
    getParentRoute: () => venue,
    path: path('/operator/markets/$symbol'),
    component: lazyRouteComponent(() => import('./operator/market-page.tsx'), 'VenueMarketPage'),
  }),
  ledger: createRoute({
    getParentRoute: () => venue,
    path: path('/operator/ledger'),
    component: lazyRouteComponent(() => import('./operator/ledger-page.tsx'), 'LedgerPage'),
  }),
  audit: createRoute({
    getParentRoute: () => venue,
    path: path('/operator/audit'),
    component: lazyRouteComponent(() => import('./operator/audit-page.tsx'), 'AuditPage'),
  }),
  parts: createRoute({
    getParentRoute: () => venue,
    path: path('/operator/parts'),
    component: lazyRouteComponent(() => import('./operator/parts-page.tsx'), 'PartsPage'),
  }),
  incidents: createRoute({
    getParentRoute: () => venue,
    path: path('/operator/incidents'),
    validateSearch: (search: Record<string, unknown>) => chosen({ cursor: text(search.cursor) }),
    component: lazyRouteComponent(() => import('./operator/incidents/incidents-page.tsx'), 'IncidentsPage'),
  }),
  incident: createRoute({
    getParentRoute: () => venue,
    path: path('/operator/incidents/$incidentId'),
    component: lazyRouteComponent(() => import('./operator/incidents/incident-page.tsx'), 'IncidentPage'),
  }),
  identities: createRoute({
    getParentRoute: () => venue,
    path: path('/operator/identities'),
    validateSearch: (search: Record<string, unknown>) =>
      chosen({
        state: oneOf(['IN_REVIEW', 'SUBMITTED', 'ASKED_BACK', 'APPROVED', 'EXPIRED', 'REFUSED', 'all'], search.state),
        cursor: text(search.cursor),
      }),
    component: lazyRouteComponent(() => import('./operator/identities/identities-page.tsx'), 'IdentitiesPage'),
  }),
  identity: createRoute({
    getParentRoute: () => venue,
    path: path('/operator/identities/$identityId'),
    component: lazyRouteComponent(() => import('./operator/identities/identity-page.tsx'), 'IdentityPage'),
  }),
  approvals: createRoute({
    getParentRoute: () => venue,
    path: path('/operator/approvals'),
    validateSearch: (search: Record<string, unknown>) =>
      chosen({ state: oneOf(['asked', 'approved', 'rejected'], search.state), cursor: text(search.cursor) }),
    component: lazyRouteComponent(() => import('./operator/approvals/approvals-page.tsx'), 'ApprovalsPage'),
  }),
  approval: createRoute({
    getParentRoute: () => venue,
    path: path('/operator/approvals/$approvalId'),
    component: lazyRouteComponent(() => import('./operator/approvals/approval-page.tsx'), 'ApprovalPage'),
  }),
  transfers: createRoute({
    getParentRoute: () => venue,
    path: path('/operator/transfers'),
    validateSearch: (search: Record<string, unknown>) =>
      chosen({
        status: oneOf(['requested', 'approved', 'executed', 'rejected', 'cancelled', 'all'], search.status),
        type: oneOf(['deposit', 'withdrawal'], search.type),
        accountId: text(search.accountId),
        paymentReference: text(search.paymentReference?.toString()),
        cursor: text(search.cursor),
      }),
    component: lazyRouteComponent(() => import('./operator/transfers/transfers-page.tsx'), 'TransfersPage'),
  }),
  transfer: createRoute({
    getParentRoute: () => venue,
    path: path('/operator/transfers/$requestId'),
    component: lazyRouteComponent(() => import('./operator/transfers/transfer-page.tsx'), 'TransferPage'),
  }),
  people: createRoute({
    getParentRoute: () => venue,
    path: path('/operator/people'),
    validateSearch: (search: Record<string, unknown>) =>
      chosen({
        owner: text(search.owner),
        role: oneOf(ROLES, search.role),
        active: oneOf(['true', 'false'], search.active),
        cursor: text(search.cursor),
      }),
    component: lazyRouteComponent(() => import('./operator/people/people-page.tsx'), 'PeoplePage'),
  }),
  person: createRoute({
    getParentRoute: () => venue,
    path: path('/operator/people/$userId'),
    component: lazyRouteComponent(() => import('./operator/people/person-page.tsx'), 'PersonPage'),
  }),
  organizations: createRoute({
    getParentRoute: () => venue,
    path: path('/operator/organizations'),
    validateSearch: (search: Record<string, unknown>) => chosen({ cursor: text(search.cursor) }),
    component: lazyRouteComponent(() => import('./operator/people/organizations-page.tsx'), 'OrganizationsPage'),
  }),
  accounts: createRoute({
    getParentRoute: () => venue,
    path: path('/operator/accounts'),
    validateSearch: (search: Record<string, unknown>) =>
      chosen({ frozen: oneOf(['true', 'false'], search.frozen), cursor: text(search.cursor) }),
    component: lazyRouteComponent(() => import('./operator/people/accounts-page.tsx'), 'AccountsPage'),
  }),
  oneAccount: createRoute({
    getParentRoute: () => venue,
    path: path('/operator/accounts/$accountId'),
    component: lazyRouteComponent(() => import('./operator/people/one-account-page.tsx'), 'OneAccountPage'),
  }),
  refusals: createRoute({
    getParentRoute: () => venue,
    path: path('/operator/refusals'),
    validateSearch: (search: Record<string, unknown>) =>
      chosen({ rule: text(search.rule), accountId: text(search.accountId), cursor: text(search.cursor) }),
    component: lazyRouteComponent(() => import('./operator/refusals/refusals-page.tsx'), 'RefusalsPage'),
  }),
  surveillance: createRoute({
    getParentRoute: () => venue,
    path: path('/operator/surveillance'),
    validateSearch: (search: Record<string, unknown>) =>
      chosen({
        state: oneOf(['open', 'closed', 'all'], search.state),
        rule: oneOf(['wash_trade', 'marking_the_close', 'layering'], search.rule),
        market: text(search.market),
        userId: text(search.userId),
        assignee: text(search.assignee),
        cursor: text(search.cursor),
      }),
    component: lazyRouteComponent(() => import('./operator/surveillance/cases-page.tsx'), 'CasesPage'),
  }),
  surveillanceCase: createRoute({
    getParentRoute: () => venue,
    path: path('/operator/surveillance/$caseId'),
    component: lazyRouteComponent(() => import('./operator/surveillance/case-page.tsx'), 'CasePage'),
  }),
  trail: createRoute({
    getParentRoute: () => venue,
    path: path('/operator/trail'),
    validateSearch: (search: Record<string, unknown>) =>
      chosen({
        subject: text(search.subject),
        actor: text(search.actor),
        type: text(search.type),
        cursor: text(search.cursor),
      }),
    component: lazyRouteComponent(() => import('./operator/trail/trail-page.tsx'), 'TrailPage'),
  }),
};

/** @internal a test compares its paths with the table of pages */
export const routeTree = root.addChildren([
  open.addChildren([page.signIn, page.signedOut, page.about, page.status]),
  own.addChildren([
    page.home,
    page.markets,
    page.asset,
    page.orders,
    page.order,
    page.fills,
    page.positions,
    page.position,
    page.account,
    page.keys,
    page.transactions,
    page.statements,
    page.statement,
    page.gains,
    page.fees,
    page.confirmation,
    page.money,
    page.payRequest,
    page.accreditation,
    venue.addChildren([
      venuePage.home,
      venuePage.markets,
      venuePage.market,
      venuePage.ledger,
      venuePage.audit,
      venuePage.parts,
      venuePage.identities,
      venuePage.identity,
      venuePage.approvals,
      venuePage.approval,
      venuePage.transfers,
      venuePage.transfer,
      venuePage.people,
      venuePage.person,
      venuePage.organizations,
      venuePage.accounts,
      venuePage.oneAccount,
      venuePage.refusals,
      venuePage.surveillance,
      venuePage.surveillanceCase,
      venuePage.trail,
      venuePage.incidents,
      venuePage.incident,
      ...Object.values(deskRoutes(venue)),
    ]),
  ]),
]);

export function makeRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    context: { queries },
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: BrokenPage,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
