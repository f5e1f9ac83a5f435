import { Link, Outlet } from '@tanstack/react-router';
import type { PagePath } from '../pages.ts';
import { useSession } from '../session/session.ts';
import '../styles/operator.css';
import { maySeeVenue } from './may-see.ts';
import { type OperatorKey, useOperatorWords } from './use-operator-words.ts';

/** Pages that stand under each other in the section, in its order. */
const SECTION: readonly (readonly [PagePath, OperatorKey])[] = [
  ['/operator', 'nav.home'],
  ['/operator/markets', 'nav.markets'],
  ['/operator/ledger', 'nav.ledger'],
  ['/operator/audit', 'nav.audit'],
  ['/operator/parts', 'nav.parts'],
];

/** The section of those who run the venue or audit it; anybody else is told whose it is. */
export function OperatorFrame() {
  const { o } = useOperatorWords();
  const session = useSession();
  if (session === undefined) return null;
  if (!maySeeVenue(session)) {
    return (
      <div className="page mid">
        <h1>{o('not_yours')}</h1>
        <p className="lede">{o('not_yours_text')}</p>
      </div>
    );
  }
  return (
    <>
      <nav className="section-nav" aria-label={o('nav')}>
        {SECTION.map(([path, title]) => (
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
