import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf, exchange } from '../../api/client.ts';
import { announce } from '../../parts/announce.tsx';
import { Field } from '../../parts/field.tsx';
import { ActDialog } from '../act-dialog.tsx';
import type { VenueAsset } from '../desk-queries.ts';
import { ActProblem } from '../parts/act-problem.tsx';
import { TextField } from '../parts/text-field.tsx';
import { OPERATOR_KEY } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { type AssetStatus, nextStatuses } from './asset-words.ts';

const IMAGE_BYTES_MAX = 512 * 1024;

interface StatusProps {
  /** As it was when the button was pressed. */
  readonly asset: VenueAsset;
  readonly status: AssetStatus;
  /** As it is now. */
  readonly now: AssetStatus;
  readonly onClose: () => void;
}

/** Approves, suspends or delists an asset; delisting, which is for good, asks for its symbol. */
export function SetAssetStatus({ asset: { id, symbol }, status, now, onClose }: StatusProps) {
  const { o, many } = useOperatorWords();
  const [typed, setTyped] = useState('');
  const isForGood = status === 'DELISTED';
  return (
    <ActDialog
      name={`asset ${status} ${id}`}
      title={o(`asset_ask.${status}`, { symbol })}
      act={o(`asset_act.${status}`)}
      danger={status !== 'APPROVED'}
      blocked={isForGood && typed.trim().toUpperCase() !== symbol}
      changed={!nextStatuses(now).includes(status)}
      onClose={onClose}
      send={async (reason, header) => {
        const params = { path: { id }, header };
        const { data } = await dataOf(
          exchange.POST('/v1/operator/assets/{id}/status', { params, body: { status, reason } }),
        );
        return many('asset_said', data.markets.length, { symbol, state: o(`asset_state.${status}`) });
      }}
    >
      <p>{o(`asset_happens.${status}`)}</p>
      {isForGood && (
        <TextField label={o('asset.type_symbol', { symbol })} name="typed" value={typed} onChange={setTyped} />
      )}
    </ActDialog>
  );
}

/** Puts another image in place of the one that an asset has. Sent again it changes nothing. */
export function AssetImage({ asset: { id, symbol } }: { readonly asset: VenueAsset }) {
  const { o } = useOperatorWords();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const [isTooLarge, setTooLarge] = useState(false);
  const upload = async (file: File | undefined) => {
    if (file === undefined) return;
    setProblem(null);
    setTooLarge(file.size > IMAGE_BYTES_MAX);
    if (file.size > IMAGE_BYTES_MAX) return;
    setBusy(true);
    try {
      await dataOf(
        exchange.PUT('/v1/operator/assets/{id}/image', {
          params: { path: { id } },
          headers: { 'Content-Type': file.type },
          body: file as never,
          bodySerializer: (body) => body as never,
        }),
      );
      announce(o('asset.image_said', { symbol }));
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
      await queries.invalidateQueries({ queryKey: OPERATOR_KEY });
    }
  };
  return (
    <>
      <Field
        label={o('asset.image_new')}
        hint={o('asset.image_hint')}
        error={isTooLarge ? o('asset.image_too_large') : null}
      >
        {({ id: ownId, describedBy, invalid }) => (
          <input
            id={ownId}
            type="file"
            accept="image/png,image/jpeg,image/webp"
            className="input"
            disabled={busy}
            aria-describedby={describedBy}
            aria-invalid={invalid}
            onChange={(event) => void upload(event.target.files?.[0])}
          />
        )}
      </Field>
      {problem !== null && <ActProblem title={o('act.failed')} error={problem} />}
    </>
  );
}
