import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type Confirmation, confirmationQuery } from '../api/own-queries.ts';
import { FactList } from '../parts/panel.tsx';
import { ReadBlock } from '../parts/read-block.tsx';
import { usePageTitle } from '../parts/use-page-title.ts';
import { useWords } from '../texts/words.tsx';
import { showNewYorkTime } from './new-york-time.ts';

const route = getRouteApi('/own/confirmations/$tradeId');

/** What a trade was, to keep: as 17 CFR 240.10b-10(a) asks of trades in securities. */
export function ConfirmationPage() {
  const { t } = useWords();
  const { tradeId } = route.useParams();
  const confirmation = useQuery(confirmationQuery(tradeId));
  usePageTitle(t('confirmation.title'));
  return (
    <div className="page narrow paper">
      <div className="page-head">
        <h1>{t('confirmation.title')}</h1>
        <button type="button" className="button unprinted" onClick={() => globalThis.print()}>
          {t('statement.print')}
        </button>
      </div>
      <ReadBlock query={confirmation} failed={t('confirmation.failed')} rows={10}>
        {(sides) => sides.map((side) => <Paper key={side.side} of={side} />)}
      </ReadBlock>
    </div>
  );
}

function Paper({ of }: { readonly of: Confirmation }) {
  const { t, locale, exact, price, date } = useWords();
  const isBuy = of.side === 'BUY';
  const money = (amount: string) => `${price(amount)} ${of.currency}`;
  const facts = { quantity: exact(of.quantity), symbol: of.symbol };
  return (
    <section className="panel">
      <header>
        <h2>{t(isBuy ? 'confirmation.bought' : 'confirmation.sold', facts)}</h2>
      </header>
      <div className="pad">
        {of.adjusted !== null && <Adjusted of={of} adjusted={of.adjusted} />}
        <FactList
          rows={[
            [t('confirmation.holder'), of.holder.name],
            [t('account.id'), <code key="a">{of.accountId}</code>],
            [t('confirmation.number'), <code key="t">{of.tradeId}</code>],
            [t('confirmation.time'), showNewYorkTime(of.executedAt, locale)],
            [t('confirmation.asset'), `${of.name} (${of.symbol})`],
            [t('column.quantity'), exact(of.quantity)],
            [t('column.price'), `${price(of.price)} ${of.currency}`],
            [t('confirmation.market'), of.market],
            [t('confirmation.route'), t(`confirmation.${of.route}`)],
            [t('confirmation.capacity'), t('confirmation.agent')],
            [t('confirmation.other'), t('confirmation.other_text')],
            [
              t('confirmation.settles'),
              of.settlementDate === null ? t('confirmation.at_once') : date(`${of.settlementDate}T12:00:00Z`),
            ],
          ]}
        />
        <FactList
          summed
          rows={[
            [t('confirmation.amount'), money(of.amount)],
            [t('confirmation.fee'), money(of.fee)],
            [t(isBuy ? 'confirmation.net_paid' : 'confirmation.net_got'), money(of.net)],
          ]}
        />
      </div>
      {of.rule !== null && <footer>{t('confirmation.rule', { rule: of.rule })}</footer>}
    </section>
  );
}

function Adjusted({
  of,
  adjusted,
}: {
  readonly of: Confirmation;
  readonly adjusted: NonNullable<Confirmation['adjusted']>;
}) {
  const { t, locale, price } = useWords();
  const time = showNewYorkTime(adjusted.at, locale);
  const facts = { time, price: price(adjusted.price), net: price(adjusted.net), currency: of.currency };
  return (
    <div className="note warn">
      <strong>{t('confirmation.adjusted')}</strong>
      <p>
        {adjusted.type === 'bust'
          ? t('confirmation.adjusted_bust', { time })
          : t('confirmation.adjusted_correction', facts)}
      </p>
    </div>
  );
}
