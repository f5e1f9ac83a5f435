import type { TextKey } from './texts/texts.ts';

/** Who looks: of their session, what decides which pages they are shown. */
interface Viewer {
  readonly powers: readonly string[];
  readonly account: object | null;
}

export interface Page {
  readonly path: string;
  readonly title: TextKey;
  /** Anybody sees it, without a session. */
  readonly isPublic?: true;
  /** Found by these words as well; not for pages of one object, which are found by it. */
  readonly synonyms?: TextKey;
  /** Second key after `g`. */
  readonly key?: string;
  /** Found and reached by a key by those alone who hold it; the API asks all the same. */
  readonly power?: string;
}

/** Every page of the console: the router, the palette and the tests read it, so that none can be left out of them. */
export const PAGES = [
  { path: '/', title: 'place.home', synonyms: 'synonyms.home', key: 'h' },
  { path: '/sign-in', title: 'sign_in.title', isPublic: true },
  { path: '/signed-out', title: 'signed_out.title', isPublic: true },
  { path: '/about', title: 'about.title', isPublic: true, synonyms: 'synonyms.about' },
  { path: '/markets', title: 'place.markets', synonyms: 'synonyms.markets', key: 'm' },
  { path: '/assets/$assetId', title: 'asset.title' },
  { path: '/orders', title: 'place.orders', synonyms: 'synonyms.orders', key: 'o' },
  { path: '/orders/$orderId', title: 'order.title' },
  { path: '/fills', title: 'fills.title', synonyms: 'synonyms.fills', key: 'f' },
  { path: '/positions', title: 'place.positions', synonyms: 'synonyms.positions', key: 'p' },
  { path: '/positions/$assetId', title: 'position.title' },
  { path: '/account', title: 'place.account', synonyms: 'synonyms.account', key: 'a' },
  { path: '/account/keys', title: 'keys.title', synonyms: 'synonyms.keys', key: 'k' },
  { path: '/account/transactions', title: 'transactions.title', synonyms: 'synonyms.transactions', key: 't' },
  { path: '/account/statements', title: 'statements.title', synonyms: 'synonyms.statements' },
  { path: '/account/statements/$month', title: 'statements.title' },
  { path: '/account/gains', title: 'gains.title', synonyms: 'synonyms.gains' },
  { path: '/account/fees', title: 'fees.title', synonyms: 'synonyms.fees' },
  { path: '/confirmations/$tradeId', title: 'confirmation.title' },
  // What moves money and standing, and what anybody reads.
  { path: '/account/money', title: 'money.title', synonyms: 'synonyms.money' },
  { path: '/account/money/$requestId', title: 'money.one' },
  { path: '/account/accreditation', title: 'accreditation.title', synonyms: 'synonyms.accreditation' },
  { path: '/status', title: 'status.title', isPublic: true, synonyms: 'synonyms.status' },
  // Of those who run the venue.
  { path: '/operator', title: 'operator.home', synonyms: 'operator.home_synonyms', key: 'v', power: 'audit_venue' },
  { path: '/operator/markets', title: 'operator.markets', synonyms: 'operator.markets_synonyms', power: 'audit_venue' },
  { path: '/operator/markets/$symbol', title: 'operator.market', power: 'audit_venue' },
  { path: '/operator/ledger', title: 'operator.ledger', synonyms: 'operator.ledger_synonyms', power: 'audit_venue' },
  { path: '/operator/audit', title: 'operator.audit', synonyms: 'operator.audit_synonyms', power: 'audit_venue' },
  { path: '/operator/parts', title: 'operator.parts', synonyms: 'operator.parts_synonyms', power: 'audit_venue' },
  // What waits for an operator, and whom and what it is about.
  { path: '/operator/identities', title: 'identities.title', synonyms: 'synonyms.identities', power: 'see_accounts' },
  { path: '/operator/identities/$identityId', title: 'identity.title', power: 'see_accounts' },
  { path: '/operator/approvals', title: 'approvals.title', synonyms: 'synonyms.approvals', power: 'audit_venue' },
  { path: '/operator/approvals/$approvalId', title: 'approval.title', power: 'audit_venue' },
  { path: '/operator/transfers', title: 'transfers.title', synonyms: 'synonyms.transfers', power: 'see_accounts' },
  { path: '/operator/transfers/$requestId', title: 'transfer.title', power: 'see_accounts' },
  { path: '/operator/people', title: 'people.title', synonyms: 'synonyms.people', power: 'see_accounts' },
  { path: '/operator/people/$userId', title: 'person.title', power: 'see_accounts' },
  {
    path: '/operator/organizations',
    title: 'organizations.title',
    synonyms: 'synonyms.organizations',
    power: 'see_accounts',
  },
  { path: '/operator/accounts', title: 'accounts.title', synonyms: 'synonyms.accounts', power: 'see_accounts' },
  { path: '/operator/accounts/$accountId', title: 'accounts.one', power: 'see_accounts' },
  { path: '/operator/refusals', title: 'refusals.title', synonyms: 'synonyms.refusals', power: 'see_accounts' },
  {
    path: '/operator/surveillance',
    title: 'surveillance.title',
    synonyms: 'synonyms.surveillance',
    power: 'audit_venue',
  },
  { path: '/operator/surveillance/$caseId', title: 'surveillance.case', power: 'audit_venue' },
  { path: '/operator/trail', title: 'trail.title', synonyms: 'synonyms.trail', power: 'see_accounts' },
  { path: '/operator/incidents', title: 'incidents.title', synonyms: 'synonyms.incidents', power: 'audit_venue' },
  { path: '/operator/incidents/$incidentId', title: 'incident.title', power: 'audit_venue' },
  { path: '/operator/search', title: 'find.title', synonyms: 'synonyms.find', key: 'i', power: 'see_accounts' },
  // Desks of the venue: assets, what brokers differ in, what others are told, the bridge.
  { path: '/operator/assets', title: 'desk.assets', synonyms: 'synonyms.desk_assets', power: 'audit_venue' },
  { path: '/operator/assets/$assetId', title: 'desk.asset', power: 'audit_venue' },
  { path: '/operator/assets/$assetId/listings/$eventId', title: 'desk.listing', power: 'audit_venue' },
  { path: '/operator/breaks', title: 'desk.breaks', synonyms: 'synonyms.breaks', power: 'audit_venue' },
  { path: '/operator/breaks/$symbol/$breakId', title: 'desk.break', power: 'audit_venue' },
  { path: '/operator/webhooks', title: 'desk.webhooks', synonyms: 'synonyms.webhooks', power: 'audit_venue' },
  { path: '/operator/webhooks/$webhookId', title: 'desk.webhook', power: 'audit_venue' },
  { path: '/operator/bridge', title: 'desk.bridge', synonyms: 'synonyms.bridge', power: 'audit_venue' },
  { path: '/operator/bridge/$organization', title: 'desk.bridge_of', power: 'audit_venue' },
  { path: '/operator/bridge/$organization/$transferId', title: 'desk.bridge_transfer', power: 'audit_venue' },
] as const satisfies readonly Page[];

export type PagePath = (typeof PAGES)[number]['path'];

/** Those that stand in the bar of somebody with an account, in its order. */
const PLACES = ['/', '/markets', '/orders', '/positions', '/account'] as const satisfies readonly PagePath[];

/** Where the section of operators begins for somebody: with the venue, or with the people of their organization; null for who has none of it. */
export function sectionOf(session: Viewer | undefined): '/operator' | '/operator/people' | null {
  if (session?.powers.includes('audit_venue') === true) return '/operator';
  return session?.powers.includes('see_accounts') === true ? '/operator/people' : null;
}

/** The bar of somebody, by what they hold: who runs the venue or sees others' accounts has that section, and who has no account none of its pages. */
export function placesOf(session: Viewer | undefined): readonly PagePath[] {
  const own: readonly PagePath[] = session?.account === null ? ['/markets'] : PLACES;
  const section = sectionOf(session);
  return section === null ? own : [section, ...own];
}

/** A phone has room for five: positions are found from the home page, too. */
export function placesBelow(session: Viewer | undefined): readonly PagePath[] {
  const places = placesOf(session);
  return places.length > 5 ? places.filter((path) => path !== '/positions') : places;
}

/** Whether somebody is shown the page at all. */
export function isShownTo({ power }: Page, session: Viewer | undefined): boolean {
  return power === undefined || session?.powers.includes(power) === true;
}
