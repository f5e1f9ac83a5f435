import { dataOf, exchange, sent } from '../../api/client.ts';
import type { components } from '../../api/generated/exchange-api.ts';
import { readInput, showInput } from '../../numbers/read-input.ts';
import { NumberField, SelectField } from '../../parts/field.tsx';
import { ActDialog, type ActHeaders } from '../act-dialog.tsx';
import type { VenueAsset } from '../desk-queries.ts';
import { TextField } from '../parts/text-field.tsx';
import { useFormDraft } from '../parts/use-form-draft.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { changedFields } from './asset-words.ts';

type AssetRequest = components['schemas']['OperatorAssetRequest'];
type AssetEdit = components['schemas']['OperatorAssetEdit'];

const CATEGORIES = ['stocks', 'fixed-income', 'commodities', 'forex', 'privates', 'pre-ipo', 'crypto'] as const;
const REGULATIONS = ['', 'reg_d_506c', 'reg_d_506b', 'reg_cf', 'reg_s', 'reg_a', 'retail'] as const;
const ACCREDITATIONS = ['', '506c', '506b'] as const;
const ROUTES = ['internal', 'broker', 'prime', 'indication'] as const;
const SYMBOL = /^[A-Z0-9](?:[A-Z0-9.]{0,14}[A-Z0-9])?$/;
const SCALE_MAX = 8;

/** What the form of an asset holds, as texts; empty for nothing. */
const EMPTY = {
  name: '',
  exchange: '',
  issuerName: '',
  issuerAccount: '',
  offeringType: '',
  accreditationType: '',
  regulation: '',
  executionRoute: '',
  tradeable: 'yes',
  referencePrice: '',
  description: '',
};

type AssetForm = typeof EMPTY;

function formOf(asset: VenueAsset, locale: string): AssetForm {
  const { referencePrice } = asset;
  return {
    name: asset.name,
    exchange: asset.exchange ?? '',
    issuerName: asset.issuerName ?? '',
    issuerAccount: asset.issuerAccount ?? '',
    offeringType: asset.offeringType ?? '',
    accreditationType: asset.accreditationType ?? '',
    regulation: asset.regulation ?? '',
    executionRoute: asset.executionRoute ?? '',
    tradeable: asset.tradeable ? 'yes' : 'no',
    referencePrice: referencePrice === null ? '' : showInput(String(referencePrice), locale),
    description: asset.description ?? '',
  };
}

/** The fields of a body, as the API wants them. */
function bodyOf(form: AssetForm, locale: string) {
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
  const price = readInput(form.referencePrice, locale);
  return {
    name: form.name.trim(),
    exchange: orNull(form.exchange),
    issuerName: orNull(form.issuerName),
    issuerAccount: orNull(form.issuerAccount),
    offeringType: orNull(form.offeringType),
    accreditationType: orNull(form.accreditationType) as AssetRequest['accreditationType'],
    regulation: orNull(form.regulation) as AssetRequest['regulation'],
    ...(form.executionRoute === '' ? {} : { executionRoute: form.executionRoute as (typeof ROUTES)[number] }),
    tradeable: form.tradeable === 'yes',
    referencePrice: price === null ? null : sent(price),
    description: orNull(form.description),
  };
}

/** Lists an asset: what it is, who may buy it, where it executes. */
export function NewAsset({ onClose }: { readonly onClose: () => void }) {
  const { o, t, locale } = useOperatorWords();
  const draft = useFormDraft('new asset', { ...EMPTY, symbol: '', category: 'stocks', scale: '0', status: 'PENDING' });
  const { form, change } = draft;
  const symbol = form.symbol.trim().toUpperCase();
  const isSymbol = SYMBOL.test(symbol);
  const isScale = /^\d$/.test(form.scale) && Number(form.scale) <= SCALE_MAX;
  const send = async (_: string, header: ActHeaders) => {
    const body: AssetRequest = {
      ...bodyOf(form, locale),
      symbol,
      category: form.category as AssetRequest['category'],
      status: form.status as AssetRequest['status'],
      scale: sent(form.scale),
      image: '',
    };
    await dataOf(exchange.POST('/v1/operator/assets', { params: { header }, body }));
    return o('assets.new_said', { symbol });
  };
  return (
    <ActDialog
      name="new asset"
      title={o('assets.new')}
      act={o('assets.new_act')}
      unreasoned
      blocked={!isSymbol || !isScale || form.name.trim() === '' || hasPriceFlaw(form, locale)}
      draft={draft}
      onClose={onClose}
      send={send}
    >
      <p className="dim small">{o('assets.new_text')}</p>
      <TextField
        label={o('asset.symbol')}
        hint={o('asset.symbol_hint')}
        name="symbol"
        value={form.symbol}
        error={form.symbol !== '' && !isSymbol ? o('asset.symbol_flaw') : null}
        onChange={(value) => change({ symbol: value })}
      />
      <SelectField
        label={t('column.kind')}
        value={form.category}
        options={CATEGORIES.map((value) => ({ value, label: t(`category.${value}`) }))}
        onChange={(category) => change({ category })}
      />
      <NumberField
        label={o('asset.scale')}
        hint={o('asset.scale_hint')}
        name="scale"
        unit=""
        value={form.scale}
        error={isScale ? null : o('asset.scale_flaw')}
        onChange={(scale) => change({ scale })}
      />
      <SelectField
        label={t('column.state')}
        value={form.status}
        options={(['PENDING', 'APPROVED'] as const).map((value) => ({ value, label: o(`asset_state.${value}`) }))}
        onChange={(status) => change({ status })}
      />
      <SharedFields form={form} change={change} offersByKind />
    </ActDialog>
  );
}

interface EditProps {
  readonly asset: VenueAsset;
  readonly onClose: () => void;
}

/** Edits an asset. Only what differs is sent. */
export function EditAsset({ asset, onClose }: EditProps) {
  const { o, many, locale } = useOperatorWords();
  const now = formOf(asset, locale);
  const draft = useFormDraft(`edit asset ${asset.id}`, now);
  const { form, start, change } = draft;
  const fields = changedFields(start, form);
  const send = async (reason: string, header: ActHeaders) => {
    const all = Object.entries(bodyOf(form, locale)).filter(([name]) => fields.includes(name));
    const body = { ...Object.fromEntries(all), reason } as AssetEdit;
    const params = { path: { id: asset.id }, header };
    const { data } = await dataOf(exchange.PATCH('/v1/operator/assets/{id}', { params, body }));
    return many('assets.edit_said', data.cancelledOrders.length, { symbol: asset.symbol });
  };
  return (
    <ActDialog
      name={`edit asset ${asset.id}`}
      title={o('assets.edit_ask', { symbol: asset.symbol })}
      act={o('assets.edit_act')}
      blocked={fields.length === 0 || form.name.trim() === '' || hasPriceFlaw(form, locale)}
      changed={changedFields(start, now).length > 0}
      draft={draft}
      onClose={onClose}
      send={send}
    >
      <p className="dim small">{o('assets.edit_text')}</p>
      <SharedFields form={form} change={change} offersByKind={start.executionRoute === ''} />
      {fields.length === 0 && <p className="small dim">{o('assets.edit_nothing')}</p>}
    </ActDialog>
  );
}

function hasPriceFlaw({ referencePrice }: Pick<AssetForm, 'referencePrice'>, locale: string): boolean {
  return referencePrice.trim() !== '' && readInput(referencePrice, locale) === null;
}

interface FieldsProps {
  readonly form: AssetForm;
  readonly change: (part: Partial<AssetForm>) => void;
  /** Whether the route may be left to the kind of the asset: not once one was stated. */
  readonly offersByKind: boolean;
}

function SharedFields({ form, change, offersByKind }: FieldsProps) {
  const { o, t, locale } = useOperatorWords();
  return (
    <>
      <TextField label={t('column.name')} name="name" value={form.name} onChange={(name) => change({ name })} />
      <SelectField
        label={o('asset.accreditation')}
        value={form.accreditationType}
        options={ACCREDITATIONS.map((value) => ({ value, label: o(`accreditation.${value === '' ? 'none' : value}`) }))}
        onChange={(accreditationType) => change({ accreditationType })}
      />
      <SelectField
        label={o('asset.regulation')}
        value={form.regulation}
        options={REGULATIONS.map((value) => ({ value, label: o(`regulation.${value === '' ? 'none' : value}`) }))}
        onChange={(regulation) => change({ regulation })}
      />
      <SelectField
        label={o('column.route')}
        value={form.executionRoute}
        options={[
          ...(offersByKind ? [{ value: '', label: o('asset.route_by_category') }] : []),
          ...ROUTES.map((value) => ({ value, label: o(`route.${value}`) })),
        ]}
        onChange={(executionRoute) => change({ executionRoute })}
      />
      <SelectField
        label={o('asset.tradeable')}
        value={form.tradeable}
        options={(['yes', 'no'] as const).map((value) => ({ value, label: o(`word.${value}`) }))}
        onChange={(tradeable) => change({ tradeable })}
      />
      <NumberField
        label={o('asset.reference_price')}
        hint={o('asset.reference_hint')}
        name="referencePrice"
        unit="USD"
        value={form.referencePrice}
        error={hasPriceFlaw(form, locale) ? t('flaw.not_positive') : null}
        onChange={(referencePrice) => change({ referencePrice })}
      />
      <TextField
        label={o('asset.issuer')}
        name="issuerName"
        value={form.issuerName}
        onChange={(issuerName) => change({ issuerName })}
      />
      <TextField
        label={o('asset.issuer_account')}
        hint={o('asset.issuer_account_hint')}
        name="issuerAccount"
        value={form.issuerAccount}
        onChange={(issuerAccount) => change({ issuerAccount })}
      />
      <TextField
        label={o('asset.offering')}
        name="offeringType"
        value={form.offeringType}
        onChange={(offeringType) => change({ offeringType })}
      />
      <TextField
        label={o('asset.exchange')}
        name="exchange"
        value={form.exchange}
        onChange={(exchangeName) => change({ exchange: exchangeName })}
      />
      <TextField
        label={o('asset.description')}
        name="description"
        lines={4}
        value={form.description}
        onChange={(description) => change({ description })}
      />
    </>
  );
}
