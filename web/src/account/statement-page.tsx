import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type Statement, statementQuery } from '../api/own-queries.ts';
import { type Decimal, decimalsOf, trim } from '../numbers/decimal.ts';
import { toneOf } from '../numbers/show-number.ts';
import { FactList } from '../parts/panel.tsx';
import { ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useWords } from '../texts/words.tsx';
import { lastDayBefore, showDay, showMonth, showNewYorkTime } from './new-york-time.ts';

const route = getRouteApi('/own/account/statements/$month');

/** More are a page of the API; on paper they would be a book. */
const SHOWN_MAX = 1_000;

/** What an account had at both ends of a month and what moved between, to read or to print. */
export function StatementPage() {
  const { t, locale } = useWords();
  const { month } = route.useParams();
  const statement = useQuery(statementQuery(month));
  const title = t('statement.title', { month: /^\d{4}-\d{2}$/.test(month) ? showMonth(month, locale) : month });
  usePageTitle(title);
  return (
    <div className="page mid paper">
      <div className="page-head">
        <h1>{title}</h1>
        <button type="button" className="button unprinted" onClick={() => globalThis.print()}>
          {t('statement.print')}
        </button>
      </div>
      <ReadBlock query={statement} failed={t('statement.failed')} rows={10}>
        {(read) => <Paper statement={read} />}
      </ReadBlock>
    </div>
  );
}

function Paper({ statement }: { readonly statement: Statement }) {
  const { t, count, locale, exact, price, signed } = useWords();
  const { balances, movements, holder, accountId, from, to, isOver, isComplete } = statement;
  const currencies = new Set(balances.filter(({ type }) => type === 'currency').map(({ assetId }) => assetId));
  return (
    <>
      {!isOver && <p className="note warn">{t('statement.not_over')}</p>}
      {!isComplete && <p className="note warn">{t('statement.not_complete')}</p>}
      <section className="panel">
        <div className="pad">
          <FactList
            rows={[
              [t('statement.holder'), holder.name],
              [t('account.id'), <code key="id">{accountId}</code>],
              [t('statement.period'), `${showDay(from, locale)} – ${lastDayBefore(to, locale)}`],
            ]}
          />
        </div>
      </section>
      <section className="panel">
        <header>
          <h2>{t('statement.balances')}</h2>
        </header>
        <div className="scroll">
          <table className="table">
            <caption className="hidden-text">{t('statement.balances')}</caption>
            <thead>
              <tr>
                <th>{t('statement.asset')}</th>
                <th className="right">{t('statement.opening')}</th>
                <th className="right less">{t('statement.moved')}</th>
                <th className="right">{t('statement.closing')}</th>
              </tr>
            </thead>
            <tbody>
              {balances.map((row) => (
                <tr key={row.assetId}>
                  <td>
                    <strong>{row.symbol}</strong> <span className="dim less-inline">{row.name}</span>
                  </td>
                  <td className="right">{row.type === 'currency' ? price(row.opening) : exact(row.opening)}</td>
                  <td className="right less">
                    {row.moved.map(({ kind, amount }) => (
                      <div key={kind}>
                        <span className="dim">{t(`movement.${kind}`)}</span>{' '}
                        {signed(amount, decimalsFor(amount, row.type === 'currency'))}
                      </div>
                    ))}
                  </td>
                  <td className="right strong">{row.type === 'currency' ? price(row.closing) : exact(row.closing)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <footer>{t('statement.note')}</footer>
      </section>
      <section className="panel">
        <header>
          <h2>{count('statement.count', movements.length)}</h2>
        </header>
        {movements.length === 0 ? (
          <p className="none dim">{t('statement.none_moved')}</p>
        ) : (
          <div className="scroll">
            <table className="table">
              <caption className="hidden-text">{t('statement.movements')}</caption>
              <thead>
                <tr>
                  <th>{t('confirmation.time')}</th>
                  <th>{t('statement.kind')}</th>
                  <th>{t('statement.asset')}</th>
                  <th className="right">{t('statement.moved')}</th>
                </tr>
              </thead>
              <tbody>
                {movements.map((row) => (
                  <tr key={`${row.reference} ${row.kind} ${row.assetId} ${row.amount}`}>
                    <td className="nowrap">{showNewYorkTime(row.timestamp, locale)}</td>
                    <td>
                      {row.kind === 'trade' ? (
                        <Link to="/confirmations/$tradeId" params={{ tradeId: row.reference }}>
                          {t('movement.trade')}
                        </Link>
                      ) : (
                        t(`movement.${row.kind}`)
                      )}
                    </td>
                    <td>{row.symbol}</td>
                    <td className={`right ${toneOf(row.amount) ?? ''}`}>
                      {signed(row.amount, decimalsFor(row.amount, currencies.has(row.assetId)))}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        {movements.length === SHOWN_MAX && <footer>{t('statement.first_page', { n: SHOWN_MAX })}</footer>}
      </section>
    </>
  );
}

/** As many decimals as an amount has; of money the usual two at least. */
function decimalsFor(amount: Decimal, isCurrency: boolean): number {
  return Math.max(isCurrency ? 2 : 0, decimalsOf(trim(amount)));
}
