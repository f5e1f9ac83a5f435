import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { shownStateOf } from '../../money/request-words.ts';
import type { Column } from '../../parts/columns.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { SelectField } from '../../parts/field.tsx';
import { State } from '../../parts/panel.tsx';
import { Empty, ReadBlock } from '../../parts/read-block.tsx';
import { TableChoices } from '../../parts/table-choices.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { Pager } from '../parts/pager.tsx';
import { type TransferRequest, transferRequestsQuery } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { TRANSFER_STATES, toneOfTransfer } from './transfer-words.ts';

const route = getRouteApi('/own/venue/operator/transfers');

/** Requests to pay in and out: those that wait, unless the address asks for others. */
export function TransfersPage() {
  const { o, t } = useOperatorWords();
  const {
    paymentReference,
    status = paymentReference === undefined ? 'requested' : 'all',
    type,
    accountId,
    cursor,
  } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(
    transferRequestsQuery({ status: status === 'all' ? undefined : status, type, accountId, paymentReference, cursor }),
  );
  usePageTitle(t('transfers.title'));
  const columns = useTransferColumns();
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{t('transfers.title')}</h1>
          <p className="lede">{o('transfers.lede')}</p>
        </div>
        <Link to="/operator/accounts" search={{ frozen: 'true' }} className="button">
          {o('accounts.frozen')}
        </Link>
      </div>
      <section className="panel">
        <header className="filters">
          <ByReference
            reference={paymentReference ?? ''}
            onFind={(next) => void navigate({ search: next === '' ? {} : { paymentReference: next } })}
          />
          <SelectField<TransferRequest['status'] | 'all'>
            label={t('column.state')}
            value={status}
            options={[
              ...TRANSFER_STATES.map((value) => ({ value, label: o(`transfer_state.${value}`) })),
              { value: 'all', label: t('filter.all') },
            ]}
            onChange={(next) => void navigate({ search: ({ cursor: _, ...rest }) => ({ ...rest, status: next }) })}
          />
          <SelectField<TransferRequest['type'] | ''>
            label={o('transfer.type')}
            value={type ?? ''}
            options={[
              { value: '', label: t('filter.all') },
              { value: 'deposit', label: o('transfer_type.deposit') },
              { value: 'withdrawal', label: o('transfer_type.withdrawal') },
            ]}
            onChange={(next) =>
              void navigate({
                search: ({ cursor: _, type: __, ...rest }) => (next === '' ? rest : { ...rest, type: next }),
              })
            }
          />
          {accountId !== undefined && (
            <button
              type="button"
              className="button small-button"
              onClick={() => void navigate({ search: ({ cursor: _, accountId: __, ...rest }) => rest })}
            >
              {o('filter.not_account')}
            </button>
          )}
          <span className="end">
            <TableChoices name="transfers" columns={columns} />
          </span>
        </header>
        <ReadBlock query={query} failed={o('transfers.failed')} rows={6}>
          {({ rows, next }) =>
            rows.length === 0 ? (
              <Empty
                title={o(status === 'requested' ? 'transfers.none' : 'transfers.none_fits')}
                text={o('transfers.none_text')}
                action={
                  status === 'approved' ? undefined : (
                    <button
                      type="button"
                      className="button"
                      onClick={() => void navigate({ search: { status: 'approved' } })}
                    >
                      {o('transfers.see_approved')}
                    </button>
                  )
                }
              />
            ) : (
              <>
                <DataTable
                  name="transfers"
                  caption={t('transfers.title')}
                  columns={columns}
                  rows={rows}
                  keyOf={(row) => row.id}
                  roomy
                />
                <Pager cursor={cursor} next={next} />
              </>
            )
          }
        </ReadBlock>
      </section>
    </div>
  );
}

interface ByReferenceProps {
  readonly reference: string;
  readonly onFind: (reference: string) => void;
}

/** Finds whose a transfer is that has come: in every state, by what stands on it. */
function ByReference({ reference, onFind }: ByReferenceProps) {
  const { o } = useOperatorWords();
  const [typed, setTyped] = useState(reference);
  // Another address, as by a link or the way back, is another reference.
  useEffect(() => setTyped(reference), [reference]);
  const find = (event: FormEvent) => {
    event.preventDefault();
    onFind(typed.trim());
  };
  return (
    <form className="row" role="search" onSubmit={find}>
      <input
        className="input search"
        type="search"
        name="paymentReference"
        maxLength={40}
        aria-label={o('transfers.by_reference')}
        placeholder={o('transfers.by_reference')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <button type="submit" className="button small-button">
        {o('transfers.find')}
      </button>
    </form>
  );
}

function useTransferColumns(): readonly Column<TransferRequest>[] {
  const { o, t, dateTime, price } = useOperatorWords();
  return [
    {
      name: 'type',
      title: o('transfer.type'),
      isFixed: true,
      cell: (row) => (
        <Link to="/operator/transfers/$requestId" params={{ requestId: row.id }} className="strong">
          {o(`transfer_type.${row.type}`)}
        </Link>
      ),
    },
    {
      name: 'amount',
      title: o('transfer.amount'),
      looks: 'right',
      cell: (row) => (
        <>
          {price(row.amount)} {row.symbol}
        </>
      ),
    },
    {
      name: 'person',
      title: o('column.person'),
      cell: (row) => (
        <>
          {row.name ?? row.accountId}
          <small>{row.owner}</small>
        </>
      ),
    },
    {
      name: 'payment_reference',
      title: o('transfer.payment_reference'),
      looks: 'nowrap',
      cell: (row) => (row.type === 'deposit' ? row.paymentReference : '–'),
    },
    { name: 'reference', title: o('transfer.reference'), looks: 'less', cell: (row) => row.reference ?? '–' },
    {
      name: 'state',
      title: t('column.state'),
      cell: (row) => <State tone={toneOfTransfer(row.status)}>{o(`transfer_state.${shownStateOf(row)}`)}</State>,
    },
    { name: 'asked_at', title: o('transfer.asked_at'), looks: 'less nowrap', cell: (row) => dateTime(row.createdAt) },
  ];
}
