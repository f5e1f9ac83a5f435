import { Link, Outlet, useMatches } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { isShownTo, PAGES, type Page, type PagePath } from '../pages.ts';
import { type Session, useSession } from '../session/session.ts';
import '../styles/operator.css';
import { type OperatorKey, useOperatorWords } from './use-operator-words.ts';

/** Pages that stand under each other in the section, in its order. */
const SECTION: readonly (readonly [PagePath, OperatorKey])[] = [
  ['/operator', 'nav.home'],
  ['/operator/identities', 'nav.identities'],
  ['/operator/approvals', 'nav.approvals'],
  ['/operator/transfers', 'nav.transfers'],
  ['/operator/people', 'nav.people'],
  ['/operator/organizations', 'nav.organizations'],
  ['/operator/accounts', 'nav.accounts'],
  ['/operator/refusals', 'nav.refusals'],
  ['/operator/surveillance', 'nav.surveillance'],
  ['/operator/trail', 'nav.trail'],
  ['/operator/search', 'nav.search'],
  ['/operator/markets', 'nav.markets'],
  ['/operator/assets', 'nav.assets'],
  ['/operator/breaks', 'nav.breaks'],
  ['/operator/webhooks', 'nav.webhooks'],
  ['/operator/bridge', 'nav.bridge'],
  ['/operator/ledger', 'nav.ledger'],
  ['/operator/audit', 'nav.audit'],
  ['/operator/parts', 'nav.parts'],
  ['/operator/incidents', 'nav.incidents'],
];

const ROWS = new Map((PAGES as readonly Page[]).map((page) => [page.path, page]));

function isOpenTo(path: string | undefined, session: Session): boolean {
  const page = path === undefined ? undefined : ROWS.get(path);
  return page !== undefined && isShownTo(page, session);
}

/** The section of those who run the venue, audit it or see others' accounts: of each page its power decides, and anybody else is told whose it is. */
export function OperatorFrame() {
  const { o } = useOperatorWords();
  const session = useSession();
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath });
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const active = nav.current?.querySelector('[aria-current="page"]');
    if (path !== undefined && nav.current !== null && active) bringIntoView(nav.current, active);
  }, [path]);
  if (session === undefined) return null;
  if (!isOpenTo(path, session)) {
    return (
      <div className="page mid">
        <h1>{o('not_yours')}</h1>
        <p className="lede">{o('not_yours_text')}</p>
      </div>
    );
  }
  return (
    <>
      <nav className="section-nav" aria-label={o('nav')} ref={nav}>
        {SECTION.filter(([page]) => isOpenTo(page, session)).map(([path, title]) => (
          <Link
            key={path}
            to={path}
            activeOptions={{ exact: path === '/operator' }}
            activeProps={{ 'aria-current': 'page' }}
          >
            {o(title)}
          </Link>
        ))}
      </nav>
      <Outlet />
    </>
  );
}

/** On a phone the bar is wider than the page: what is open stands in its middle. The page itself does not move. */
function bringIntoView(bar: Element, active: Element): void {
  const [outer, inner] = [bar.getBoundingClientRect(), active.getBoundingClientRect()];
  bar.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
}
