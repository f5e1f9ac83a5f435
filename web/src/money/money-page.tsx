import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { sign } from '../numbers/decimal.ts';
import { MoreRows, rowsOf } from '../parts/more-rows.tsx';
import { Panel, State } from '../parts/panel.tsx';
import { Empty, ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useSession } from '../session/session.ts';
import { useCustomerWords } from '../texts/use-customer-words.ts';
import { moneyQuery, type PayableAsset, type PayRequest, payRequestsQuery } from './money-queries.ts';
import { PayDialog } from './pay-dialog.tsx';
import { referenceOf, shownStateOf, toneOfRequest } from './request-words.ts';

const route = getRouteApi('/own/account/money');

/** What can be paid in and out, what was asked for, and what became of it. */
export function MoneyPage() {
  const { c, t } = useCustomerWords();
  const { ask } = route.useSearch();
  const navigate = route.useNavigate();
  const money = useQuery(moneyQuery);
  const requests = useInfiniteQuery(payRequestsQuery);
  const session = useSession();
  usePageTitle(t('money.title'));
  const close = () => void navigate({ search: {} });
  return (
    <div className="page mid">
      <div className="page-head">
        <div>
          <h1>{t('money.title')}</h1>
          <p className="lede">{c('money.lede')}</p>
        </div>
        <div className="row">
          <button
            type="button"
            className="button"
            disabled={money.data === undefined}
            onClick={() => void navigate({ search: { ask: 'withdrawal' } })}
          >
            {c('pay.withdrawal')}
          </button>
          <button
            type="button"
            className="button primary"
            disabled={money.data === undefined}
            onClick={() => void navigate({ search: { ask: 'deposit' } })}
          >
            {c('pay.deposit')}
          </button>
        </div>
      </div>
      <div className="stack">
        <Panel title={c('money.have')}>
          <ReadBlock query={money} failed={c('money.failed')} rows={2}>
            {(rows) => <MoneyTable rows={rows} />}
          </ReadBlock>
        </Panel>
        <Panel title={c('money.requests')}>
          <ReadBlock query={requests} failed={c('money.requests_failed')} rows={4}>
            {(data) => {
              const rows = rowsOf(data);
              return rows.length === 0 ? (
                <Empty title={c('money.none')} text={c('money.none_text')} />
              ) : (
                <RequestTable rows={rows} />
              );
            }}
          </ReadBlock>
          <MoreRows query={requests} failed={c('money.requests_failed')} />
        </Panel>
      </div>
      {ask !== undefined && money.data !== undefined && session !== undefined && (
        <PayDialog
          key={`${ask} ${session.user_id}`}
          type={ask}
          owner={session.user_id}
          assets={money.data}
          onClose={close}
        />
      )}
    </div>
  );
}

/** Dollars, and whatever else is there. */
function MoneyTable({ rows }: { readonly rows: readonly PayableAsset[] }) {
  const { c, price } = useCustomerWords();
  const shown = rows.filter(
    ({ symbol, available, held, unsettled }) =>
      symbol === 'USD' || [available, held, unsettled].some((amount) => sign(amount) !== 0),
  );
  return (
    <div className="scroll">
      <table className="table">
        <caption className="hidden-text">{c('money.have')}</caption>
        <thead>
          <tr>
            <th>{c('money.asset')}</th>
            <th className="right">{c('money.available')}</th>
            <th className="right">{c('money.held')}</th>
            <th className="right less">{c('money.unsettled')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row.assetId}>
              <td>
                <span className="strong">{row.symbol}</span> <span className="dim less-inline">{row.name}</span>
              </td>
              <td className="right">{price(row.available)}</td>
              <td className="right">{price(row.held)}</td>
              <td className="right less">{price(row.unsettled)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RequestTable({ rows }: { readonly rows: readonly PayRequest[] }) {
  const { c, t, price, dateTime } = useCustomerWords();
  return (
    <div className="scroll">
      <table className="table roomy">
        <caption className="hidden-text">{c('money.requests')}</caption>
        <thead>
          <tr>
            <th>{c('request.what')}</th>
            <th className="right">{c('request.amount')}</th>
            <th>{t('column.state')}</th>
            <th className="less">{c('request.reference')}</th>
            <th className="less">{c('request.asked')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <Link to="/account/money/$requestId" params={{ requestId: row.id }} className="strong">
                  {c(`pay.${row.type}`)}
                </Link>
              </td>
              <td className="right nowrap">
                {price(row.amount)} {row.symbol}
              </td>
              <td>
                <State tone={toneOfRequest(row.status)}>{c(`request_state.${shownStateOf(row)}`)}</State>
              </td>
              <td className="less">{referenceOf(row) ?? '–'}</td>
              <td className="less nowrap">{dateTime(row.createdAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
