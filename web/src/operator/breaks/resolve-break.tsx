import { useQuery } from '@tanstack/react-query';
import { dataOf, exchange, sent } from '../../api/client.ts';
import type { components } from '../../api/generated/exchange-api.ts';
import { readInput } from '../../numbers/read-input.ts';
import { NumberField, SelectField } from '../../parts/field.tsx';
import { FactList } from '../../parts/panel.tsx';
import { ReadBlock } from '../../parts/read-block.tsx';
import { ActDialog, type ActHeaders } from '../act-dialog.tsx';
import { type BrokerBreak, foundQuery } from '../desk-queries.ts';
import { TextField } from '../parts/text-field.tsx';
import { useFormDraft } from '../parts/use-form-draft.ts';
import { accountDetailQuery } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { accountOfOrder, missingTerms } from './break-words.ts';

/** What is shorter is an id that is being typed. */
const ID_LENGTH_MIN = 8;

interface ResolveProps {
  readonly found: BrokerBreak;
  /** It is not open any more. */
  readonly changed: boolean;
  readonly onClose: () => void;
}

export function AcknowledgeBreak({ found: { symbol, id }, changed, onClose }: ResolveProps) {
  const { o } = useOperatorWords();
  return (
    <ActDialog
      name={`acknowledge break ${symbol} ${id}`}
      title={o('break_ask.acknowledge')}
      act={o('break_act.acknowledge')}
      changed={changed}
      onClose={onClose}
      send={async (reason, header) => {
        await resolve(symbol, id, { action: 'acknowledge', reason }, header);
        return o('break_said.acknowledge');
      }}
    >
      <p>{o('break_happens.acknowledge')}</p>
    </ActDialog>
  );
}

/** What the break says of its execution stands; what it does not say is stated here. */
export function BookBreak({ found, changed, onClose }: ResolveProps) {
  const { o, t, locale, exact, price } = useOperatorWords();
  const { symbol, id } = found;
  const missing = missingTerms(found);
  const draft = useFormDraft(`book break ${symbol} ${id}`, { account: '', side: 'BUY', price: '', quantity: '' });
  const { form, change } = draft;
  const stated = { price: readInput(form.price, locale), quantity: readInput(form.quantity, locale) };
  const lacks = (term: 'price' | 'quantity') => missing.includes(term) && stated[term] === null;
  const account = form.account.trim();
  const holder = useQuery({ ...accountDetailQuery(account), enabled: account.length >= ID_LENGTH_MIN, retry: false });
  // Whose it is has been shown before cash and shares move.
  const blocked = holder.data === undefined || lacks('price') || lacks('quantity');
  const send = async (reason: string, header: ActHeaders) => {
    await resolve(
      symbol,
      id,
      {
        action: 'book',
        reason,
        accountId: account,
        ...(missing.includes('side') ? { side: form.side as 'BUY' | 'SELL' } : {}),
        ...(missing.includes('price') ? { price: sent(stated.price ?? '0') } : {}),
        ...(missing.includes('quantity') ? { quantity: sent(stated.quantity ?? '0') } : {}),
      },
      header,
    );
    return o('break_said.book');
  };
  return (
    <ActDialog
      name={`book break ${symbol} ${id}`}
      title={o('break_ask.book')}
      act={o('break_act.book')}
      danger
      blocked={blocked}
      changed={changed}
      draft={draft}
      onClose={onClose}
      send={send}
    >
      <p>{o('break_happens.book')}</p>
      <FactList
        rows={[
          [t('column.market'), symbol],
          found.side === null ? null : [t('column.side'), t(found.side === 'BUY' ? 'side.buy' : 'side.sell')],
          found.quantity === null ? null : [t('column.quantity'), exact(found.quantity)],
          found.price === null ? null : [t('column.price'), price(found.price)],
        ]}
      />
      <TextField
        label={o('break.account')}
        hint={o('break.account_hint')}
        name="account"
        value={form.account}
        onChange={(value) => change({ account: value })}
      />
      <AccountOfOrder found={found} account={account} onChoose={(value) => change({ account: value })} />
      {account.length >= ID_LENGTH_MIN && (
        <ReadBlock query={holder} failed={o('break.holder_failed')} rows={2}>
          {({ name, owner, facts }) => (
            <FactList
              rows={[
                [o('break.holder'), name ?? '–'],
                [o('column.organization'), owner],
                facts.frozen ? [t('column.state'), o('break.holder_frozen')] : null,
              ]}
            />
          )}
        </ReadBlock>
      )}
      {missing.includes('side') && (
        <SelectField
          label={t('column.side')}
          value={form.side}
          options={[
            { value: 'BUY', label: t('side.buy') },
            { value: 'SELL', label: t('side.sell') },
          ]}
          onChange={(side) => change({ side })}
        />
      )}
      {missing.includes('quantity') && (
        <NumberField
          label={t('column.quantity')}
          name="quantity"
          unit=""
          value={form.quantity}
          error={form.quantity !== '' && lacks('quantity') ? t('flaw.not_positive') : null}
          onChange={(quantity) => change({ quantity })}
        />
      )}
      {missing.includes('price') && (
        <NumberField
          label={t('column.price')}
          name="price"
          unit=""
          value={form.price}
          error={form.price !== '' && lacks('price') ? t('flaw.not_positive') : null}
          onChange={(value) => change({ price: value })}
        />
      )}
    </ActDialog>
  );
}

interface AccountOfOrderProps {
  readonly found: BrokerBreak;
  readonly account: string;
  readonly onChoose: (account: string) => void;
}

/** Offers the account whose order the break names. */
function AccountOfOrder({ found: { orderId }, account, onChoose }: AccountOfOrderProps) {
  const { o } = useOperatorWords();
  const ofOrder = accountOfOrder(useQuery(foundQuery(orderId)).data ?? [], orderId);
  if (ofOrder === null) return null;
  if (ofOrder === account) return <p className="small dim">{o('break.is_of_order')}</p>;
  return (
    <div className="stack">
      {account !== '' && <p className="small">{o('break.is_not_of_order')}</p>}
      <button type="button" className="button small-button" onClick={() => onChoose(ofOrder)}>
        {o('break.take_of_order')}
      </button>
    </div>
  );
}

type Resolution = components['schemas']['OperatorBrokerBreakResolution'];

async function resolve(symbol: string, id: string, body: Resolution, header: ActHeaders): Promise<void> {
  const params = { path: { symbol, id }, header };
  await dataOf(exchange.POST('/v1/operator/markets/{symbol}/broker-breaks/{id}/resolve', { params, body }));
}
