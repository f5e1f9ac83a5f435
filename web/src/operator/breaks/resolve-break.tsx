import { dataOf, exchange, sent } from '../../api/client.ts';
import type { components } from '../../api/generated/exchange-api.ts';
import { readInput } from '../../numbers/read-input.ts';
import { NumberField, SelectField } from '../../parts/field.tsx';
import { FactList } from '../../parts/panel.tsx';
import { ActDialog, type ActHeaders } from '../act-dialog.tsx';
import type { BrokerBreak } from '../desk-queries.ts';
import { TextField } from '../parts/text-field.tsx';
import { useFormDraft } from '../parts/use-form-draft.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { missingTerms } from './break-words.ts';

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
  const blocked = account === '' || lacks('price') || lacks('quantity');
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

type Resolution = components['schemas']['OperatorBrokerBreakResolution'];

async function resolve(symbol: string, id: string, body: Resolution, header: ActHeaders): Promise<void> {
  const params = { path: { symbol, id }, header };
  await dataOf(exchange.POST('/v1/operator/markets/{symbol}/broker-breaks/{id}/resolve', { params, body }));
}
