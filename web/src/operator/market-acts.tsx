import { useState } from 'react';
import { dataOf, exchange, sent } from '../api/client.ts';
import { NumberField } from '../parts/field.tsx';
import { FactList } from '../parts/panel.tsx';
import { ActDialog, type ActHeaders } from './act-dialog.tsx';
import { haltOffered, type MarketAct } from './act-state.ts';
import { useFormDraft } from './parts/use-form-draft.ts';
import type { VenueMarketDetail } from './queries.ts';
import { useOperatorWords } from './use-operator-words.ts';

const BAND_HALT_SECONDS_MAX = 86_400;

interface ActProps {
  /** As it was when the button was pressed. */
  readonly market: VenueMarketDetail;
  /** It is no longer so. */
  readonly changed: boolean;
  readonly onClose: () => void;
}

interface ActButtonProps {
  readonly act: MarketAct;
  readonly market: VenueMarketDetail;
  readonly onOpen: (act: MarketAct) => void;
}

/** A button of an act. Its dialog belongs to the page, so that it stays while the button goes. */
export function ActButton({ act, market, onOpen }: ActButtonProps) {
  const { o } = useOperatorWords();
  const look = act === 'halt_market' ? 'danger' : act === 'set_band' ? '' : 'primary';
  const isAgain = act === 'halt_market' && haltOffered(market) === 'again';
  return (
    <button type="button" className={`button ${look}`} onClick={() => onOpen(act)}>
      {o(isAgain ? 'act.halt_again' : `act.${act}`)}
    </button>
  );
}

/** The dialog of an act. */
export function MarketActDialog({ act, ...props }: ActProps & { readonly act: MarketAct }) {
  const Act = DIALOGS[act];
  return <Act {...props} />;
}

function HaltMarket({ market, changed, onClose }: ActProps) {
  const { o, many, whole } = useOperatorWords();
  const { symbol, book } = market;
  const send = async (reason: string, header: ActHeaders) => {
    const params = { path: { symbol }, header };
    await dataOf(exchange.POST('/v1/operator/markets/{symbol}/halt', { body: { reason }, params }));
    return o('halt.said', { symbol });
  };
  return (
    <ActDialog
      name={`halt ${symbol}`}
      title={o('halt.title', { symbol })}
      act={book === null ? o('halt.act_unknown') : many('halt.act', Number(book.liveOrders))}
      danger
      changed={changed}
      onClose={onClose}
      send={send}
    >
      <FactList
        rows={[
          [o('halt.orders'), book === null ? o('halt.unknown') : whole(book.liveOrders)],
          book === null ? null : [o('halt.queued'), whole(book.queued)],
        ]}
      />
      <p className="dim small">{o('halt.text')}</p>
    </ActDialog>
  );
}

function ResumeMarket({ market: { symbol }, changed, onClose }: ActProps) {
  const { o } = useOperatorWords();
  const send = async (reason: string, header: ActHeaders) => {
    const params = { path: { symbol }, header };
    await dataOf(exchange.POST('/v1/operator/markets/{symbol}/resume', { body: { reason }, params }));
    return o('resume.said', { symbol });
  };
  return (
    <ActDialog
      name={`resume ${symbol}`}
      title={o('resume.title', { symbol })}
      act={o('resume.act', { symbol })}
      changed={changed}
      onClose={onClose}
      send={send}
    >
      <p className="dim small">{o('resume.text')}</p>
    </ActDialog>
  );
}

function EndBandHalt({ market: { symbol, rules }, changed, onClose }: ActProps) {
  const { o, whole } = useOperatorWords();
  const send = async (reason: string, header: ActHeaders) => {
    await setBandHalt(symbol, '0', reason, header);
    return o('band.end_said', { symbol });
  };
  return (
    <ActDialog
      name={`end band halt ${symbol}`}
      title={o('band.end_title', { symbol })}
      act={o('band.end_act')}
      danger
      changed={changed}
      onClose={onClose}
      send={send}
    >
      <FactList rows={[[o('band.length_now'), o('market.seconds', { n: whole(rules.bandHaltSeconds) })]]} />
      <p className="dim small">{o('band.end_text')}</p>
    </ActDialog>
  );
}

function SetBandHalt({ market: { symbol, rules }, changed, onClose }: ActProps) {
  const { o } = useOperatorWords();
  const draft = useFormDraft(`set band halt ${symbol}`, { seconds: String(rules.bandHaltSeconds) });
  const { seconds } = draft.form;
  const isWhole = /^\d{1,5}$/.test(seconds) && Number(seconds) <= BAND_HALT_SECONDS_MAX;
  const send = async (reason: string, header: ActHeaders) => {
    await setBandHalt(symbol, seconds, reason, header);
    return o('band.set_said');
  };
  return (
    <ActDialog
      name={`set band halt ${symbol}`}
      draft={draft}
      title={o('band.set_title', { symbol })}
      act={o('band.set_act')}
      blocked={!isWhole}
      changed={changed}
      onClose={onClose}
      send={send}
    >
      <NumberField
        label={o('band.seconds')}
        name="seconds"
        unit="s"
        value={seconds}
        error={isWhole ? null : o('band.seconds_flaw')}
        onChange={(value) => draft.change({ seconds: value })}
      />
    </ActDialog>
  );
}

async function setBandHalt(symbol: string, seconds: string, reason: string, header: ActHeaders): Promise<void> {
  const body = { bandHaltSeconds: sent(String(Number(seconds))), reason };
  await dataOf(exchange.PATCH('/v1/operator/markets/{symbol}', { body, params: { path: { symbol }, header } }));
}

function ResumeBook({ market: { symbol }, changed, onClose }: ActProps) {
  const { o } = useOperatorWords();
  const [again, setAgain] = useState<string | null>(null);
  const send = async (reason: string, header: ActHeaders) => {
    const params = { path: { symbol }, header };
    const { data } = await dataOf(exchange.POST('/v1/operator/books/{symbol}/resume', { body: { reason }, params }));
    setAgain(data.status.halted);
    return data.status.halted === null
      ? o('book.said', { symbol })
      : { stays: o('book.again', { reason: data.status.halted }) };
  };
  return (
    <ActDialog
      name={`resume book ${symbol}`}
      title={o('book.title', { symbol })}
      act={o('book.act')}
      changed={changed}
      onClose={onClose}
      send={send}
    >
      <p className="dim small">{o('book.text')}</p>
      {again !== null && <p className="note bad">{o('book.again', { reason: again })}</p>}
    </ActDialog>
  );
}

const DIALOGS = {
  halt_market: HaltMarket,
  resume_market: ResumeMarket,
  end_band: EndBandHalt,
  set_band: SetBandHalt,
  resume_book: ResumeBook,
} as const;
