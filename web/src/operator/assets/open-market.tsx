import { dataOf, exchange, sent } from '../../api/client.ts';
import type { components } from '../../api/generated/exchange-api.ts';
import { readInput } from '../../numbers/read-input.ts';
import { NumberField, SelectField } from '../../parts/field.tsx';
import { ActDialog, type ActHeaders } from '../act-dialog.tsx';
import type { VenueAsset } from '../desk-queries.ts';
import { TextField } from '../parts/text-field.tsx';
import { useFormDraft } from '../parts/use-form-draft.ts';
import { useOperatorWords } from '../use-operator-words.ts';

type MarketRequest = components['schemas']['OperatorMarketRequest'];

const ROUTES = ['internal', 'broker', 'prime', 'indication'] as const;
const NUMBERS = ['priceScale', 'tickSize', 'lotSize', 'minSize', 'maxSize', 'makerFeeBps', 'takerFeeBps'] as const;

interface OpenMarketProps {
  readonly asset: VenueAsset;
  readonly onClose: () => void;
}

/** Opens a market of an asset at once. Its steps and sizes are for good. */
export function OpenMarket({ asset, onClose }: OpenMarketProps) {
  const { o, t, locale } = useOperatorWords();
  const draft = useFormDraft(`open market ${asset.id}`, {
    quoteAssetId: 'usd',
    route: asset.executionRoute ?? 'internal',
    tradingHours: 'always',
    priceScale: '2',
    tickSize: '',
    lotSize: '1',
    minSize: '1',
    maxSize: '',
    makerFeeBps: '0',
    takerFeeBps: '0',
    referencePrice: '',
  });
  const { form, change } = draft;
  const number = (name: (typeof NUMBERS)[number] | 'referencePrice') => readInput(form[name], locale);
  const flawed = NUMBERS.filter((name) => number(name) === null);
  const hasPriceFlaw = form.referencePrice !== '' && number('referencePrice') === null;
  const quote = form.quoteAssetId.trim();
  const send = async (_: string, header: ActHeaders) => {
    const reference = number('referencePrice');
    const body = {
      baseAssetId: asset.id,
      quoteAssetId: quote,
      route: form.route as MarketRequest['route'],
      tradingHours: form.tradingHours as MarketRequest['tradingHours'],
      ...(Object.fromEntries(NUMBERS.map((name) => [name, sent(number(name) ?? '0')])) as Pick<
        MarketRequest,
        (typeof NUMBERS)[number]
      >),
      referencePrice: reference === null ? null : sent(reference),
    };
    const { data } = await dataOf(exchange.POST('/v1/operator/markets', { params: { header }, body }));
    return o('open_market.said', { symbol: data.symbol });
  };
  return (
    <ActDialog
      name={`open market ${asset.id}`}
      title={o('open_market.ask', { symbol: asset.symbol })}
      act={o('open_market.act')}
      unreasoned
      blocked={flawed.length > 0 || hasPriceFlaw || quote === ''}
      draft={draft}
      onClose={onClose}
      send={send}
    >
      <p className="dim small">{o('open_market.text')}</p>
      <TextField
        label={o('open_market.quote')}
        hint={o('open_market.quote_hint')}
        name="quoteAssetId"
        value={form.quoteAssetId}
        onChange={(quoteAssetId) => change({ quoteAssetId })}
      />
      <SelectField
        label={o('column.route')}
        value={form.route}
        options={ROUTES.map((value) => ({ value, label: o(`route.${value}`) }))}
        onChange={(value) => change({ route: value })}
      />
      {form.route === 'broker' && (
        <SelectField
          label={o('column.hours')}
          value={form.tradingHours}
          options={(['always', 'nyse'] as const).map((value) => ({ value, label: o(`hours.${value}`) }))}
          onChange={(tradingHours) => change({ tradingHours })}
        />
      )}
      {NUMBERS.map((name) => (
        <NumberField
          key={name}
          label={o(`open_market.${name}`)}
          name={name}
          unit={name.endsWith('FeeBps') ? 'bps' : ''}
          value={form[name]}
          error={form[name] !== '' && flawed.includes(name) ? t('flaw.not_positive') : null}
          onChange={(value) => change({ [name]: value })}
        />
      ))}
      <NumberField
        label={o('asset.reference_price')}
        hint={o('open_market.reference_hint')}
        name="referencePrice"
        unit=""
        value={form.referencePrice}
        error={hasPriceFlaw ? t('flaw.not_positive') : null}
        onChange={(referencePrice) => change({ referencePrice })}
      />
    </ActDialog>
  );
}
